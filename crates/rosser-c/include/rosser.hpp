// Rosser for C++17: the functions of rosser.h with lambdas, values and exceptions.
//
//     rosser::promise<int> left, right;
//     int sum = 0;
//     rosser::finish([&](rosser::scope &s) {
//         s.async([&] { sum = left.get() + right.get(); });
//         s.async([&] { left.set(1); });
//         s.async([&] { right.set(2); });
//     });
//
// A task is anything that can be called, with nothing or with the scope that it belongs to. It is moved
// into the library and destroyed when it has been called. What it captures by reference has to live
// until it has ended, and a task of a finish may outlive the one that started it: so capture what lives
// longer than the finish, or copy.
//
// An exception that leaves a task is caught, and thrown again where the task is joined: at the end of
// its finish, of its scope or of its procedure, at a sync, at the `get` of a future. Of several, the
// first to come is thrown and the others are lost. Tasks are not cancelled.
//
// A `get` that will never have a value throws `rosser::no_value`, which goes the same way. All other
// errors end the program as in rosser.h.
#ifndef ROSSER_HPP
#define ROSSER_HPP

#include "rosser.h"

#include <cxxabi.h>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

// For what is shared between tasks inside this header, in ways that the detector need not see.
#define ROSSER_UNSEEN __attribute__((no_sanitize("thread"), noinline))

namespace rosser {

class scope;
class subscope;
class procedure;
template <class T> class future;
template <class T> class shared_future;

// Defined below.
template <class F>
auto call(F &&body, const char *file = __builtin_FILE(), unsigned line = __builtin_LINE());

// A value will never come: there is a deadlock. The text says who waits where.
class no_value : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

namespace detail {

// The exceptions that a task is just handling are its own. C++ keeps them per thread; so they are put
// aside while the thread may turn to other tasks.
class exceptions_aside {
    struct globals {
        void *caught;
        unsigned int uncaught;
    };

public:
    ROSSER_UNSEEN exceptions_aside() noexcept
        : globals_(reinterpret_cast<globals *>(__cxxabiv1::__cxa_get_globals())), saved_(*globals_)
    {
        globals_->caught = nullptr;
        globals_->uncaught = 0;
    }
    ROSSER_UNSEEN ~exceptions_aside()
    {
        globals_->caught = saved_.caught;
        globals_->uncaught = saved_.uncaught;
    }
    exceptions_aside(const exceptions_aside &) = delete;
    exceptions_aside &operator=(const exceptions_aside &) = delete;

private:
    globals *globals_;
    globals saved_;
};

// The first exception of several tasks.
class failure {
public:
    void note(std::exception_ptr exception) noexcept
    {
        if (exception && claim()) {
            first_ = std::move(exception);
        }
    }
    // To be called when the tasks have ended.
    std::exception_ptr take() noexcept
    {
        claimed_ = false;
        return std::exchange(first_, nullptr);
    }
    void rethrow()
    {
        if (std::exception_ptr first = take()) {
            std::rethrow_exception(std::move(first));
        }
    }

private:
    ROSSER_UNSEEN bool claim() noexcept { return !__atomic_exchange_n(&claimed_, true, __ATOMIC_RELAXED); }

    bool claimed_ = false;
    std::exception_ptr first_;
};

// Calls a function with a context, or without if it does not want any.
template <class F, class Context> decltype(auto) invoke(F &function, Context &context)
{
    if constexpr (std::is_invocable_v<F &, Context &>) {
        return function(context);
    } else {
        return function();
    }
}

template <class F, class Context>
using result_of = decltype(invoke(std::declval<F &>(), std::declval<Context &>()));

// What a function has returned or thrown.
template <class T> class outcome {
    static_assert(!std::is_reference_v<T>, "return a pointer or a value");

public:
    template <class Function> void run(Function &&function) noexcept
    {
        try {
            value_.emplace(function());
        } catch (...) {
            exception = std::current_exception();
        }
    }
    T take() { return std::move(*value_); }
    const T &get() const { return *value_; }

    std::exception_ptr exception;

private:
    std::optional<T> value_;
};

template <> class outcome<void> {
public:
    template <class Function> void run(Function &&function) noexcept
    {
        try {
            function();
        } catch (...) {
            exception = std::current_exception();
        }
    }
    void take() {}
    void get() const {}

    std::exception_ptr exception;
};

// What a future shares with its task.
template <class T> class future_state {
public:
    // Tells the finish of an exception that nobody has got.
    explicit future_state(failure &finish) : finish_(finish) {}
    ~future_state()
    {
        if (!seen_) {
            finish_.note(result.exception);
        }
    }

    void rethrow()
    {
        if (result.exception) {
            see();
            std::rethrow_exception(result.exception);
        }
    }

    outcome<T> result;

private:
    ROSSER_UNSEEN void see() noexcept { __atomic_store_n(&seen_, true, __ATOMIC_RELAXED); }

    failure &finish_;
    bool seen_ = false;
};

// Waits for something with one of the functions of rosser.h.
template <class Handle>
[[gnu::noinline]] void *wait(bool function(Handle *, void **, char *, size_t, const char *, unsigned),
                             Handle *handle, const char *file, unsigned line)
{
    void *value = nullptr;
    char report[2048];
    bool got;
    {
        exceptions_aside aside;
        got = function(handle, &value, report, sizeof report, file, line);
    }
    if (!got) {
        throw no_value(report);
    }
    return value;
}

} // namespace detail

// ---------------------------------------------------------------------------------------------------
// Finish and async

// Where tasks are started. Good until it has ended, in all its tasks.
class scope {
public:
    scope(const scope &) = delete;
    scope &operator=(const scope &) = delete;

    // Starts a task.
    template <class F>
    void async(F &&task, const char *file = __builtin_FILE(), unsigned line = __builtin_LINE());

    // Starts a task whose value is wanted.
    template <class F>
    auto async_future(F &&function, const char *file = __builtin_FILE(),
                      unsigned line = __builtin_LINE())
        -> future<detail::result_of<std::decay_t<F>, scope>>;

    // Begins a scope inside this one, which can be ended before the finish is.
    subscope begin(const char *file = __builtin_FILE(), unsigned line = __builtin_LINE());

protected:
    scope(rosser_scope *handle, detail::failure &failure, detail::failure &finish)
        : handle_(handle), failure_(failure), finish_(finish)
    {
    }
    ~scope() = default;

    rosser_scope *handle_;
    // Whom to tell of exceptions.
    detail::failure &failure_;
    detail::failure &finish_;
};

namespace detail {

class whole_finish final : public scope {
public:
    whole_finish(rosser_scope *handle, failure &failure) : scope(handle, failure, failure) {}
};

class has_failure {
protected:
    failure own_failure_;
};

} // namespace detail

// A scope that was begun inside another. It is ended at the end of its life, if not before. It belongs
// to the task that began it.
class subscope final : private detail::has_failure, public scope {
public:
    ~subscope()
    {
        if (handle_) {
            wait(__builtin_FILE(), __builtin_LINE());
            outer_.note(own_failure_.take());
        }
    }

    // Waits for the tasks of the scope.
    void end(const char *file = __builtin_FILE(), unsigned line = __builtin_LINE())
    {
        wait(file, line);
        own_failure_.rethrow();
    }

private:
    friend class scope;

    subscope(rosser_scope *handle, detail::failure &outer, detail::failure &finish)
        : scope(handle, own_failure_, finish), outer_(outer)
    {
    }

    void wait(const char *file, unsigned line)
    {
        detail::exceptions_aside aside;
        rosser_end_at(handle_, file, line);
        handle_ = nullptr;
    }

    detail::failure &outer_;
};

inline subscope scope::begin(const char *file, unsigned line)
{
    return subscope(rosser_begin_at(handle_, file, line), failure_, finish_);
}

// Calls `body` with a scope, and waits until it and all tasks have ended, however deeply they were
// started. Gives back what `body` returns.
template <class F>
auto finish(F &&body, const char *file = __builtin_FILE(), unsigned line = __builtin_LINE())
{
    using result = detail::result_of<F, scope>;
    struct frame {
        F &body;
        detail::failure failure;
        std::optional<detail::whole_finish> whole;
        detail::outcome<result> outcome;

        static void run(rosser_scope *handle, void *arg)
        {
            auto &self = *static_cast<frame *>(arg);
            self.whole.emplace(handle, self.failure);
            scope &s = *self.whole;
            self.outcome.run([&]() -> result { return detail::invoke(self.body, s); });
            self.failure.note(self.outcome.exception);
        }
    } frame{body, {}, {}, {}};
    {
        detail::exceptions_aside aside;
        rosser_finish_at(&frame::run, &frame, file, line);
    }
    frame.failure.rethrow();
    return frame.outcome.take();
}

template <class F> void scope::async(F &&task, const char *file, unsigned line)
{
    struct frame {
        std::decay_t<F> task;
        scope &s;

        static void run(rosser_scope *, void *arg)
        {
            auto self = std::unique_ptr<frame>(static_cast<frame *>(arg));
            detail::outcome<void> outcome;
            outcome.run([&] { detail::invoke(self->task, self->s); });
            self->s.failure_.note(std::move(outcome.exception));
        }
    };
    auto arg = std::unique_ptr<frame>(new frame{std::forward<F>(task), *this});
    detail::exceptions_aside aside;
    rosser_async_at(handle_, &frame::run, arg.release(), file, line);
}

// ---------------------------------------------------------------------------------------------------
// Futures

// The value of a task, to be got once, before its finish has ended.
template <class T> class future {
public:
    future(future &&other) noexcept
        : handle_(std::exchange(other.handle_, nullptr)), state_(other.state_)
    {
    }
    future &operator=(future &&other) noexcept
    {
        handle_ = std::exchange(other.handle_, nullptr);
        state_ = other.state_;
        return *this;
    }

    // The value, or the exception. Waits for the task if need be.
    T get(const char *file = __builtin_FILE(), unsigned line = __builtin_LINE())
    {
        rosser_future *handle = std::exchange(handle_, nullptr);
        detail::wait(rosser_future_wait_at, handle, file, line);
        state_->rethrow();
        struct guard {
            rosser_future *handle;
            const char *file;
            unsigned line;
            ~guard() { rosser_future_free_at(handle, file, line); }
        } guard{handle, file, line};
        return state_->result.take();
    }

    // Makes it possible to get the value more than once, from more than one task, by reference.
    shared_future<T> share(const char *file = __builtin_FILE(), unsigned line = __builtin_LINE())
    {
        rosser_future *handle = std::exchange(handle_, nullptr);
        return shared_future<T>(rosser_future_share_at(handle, file, line), state_);
    }

private:
    friend class scope;

    future(rosser_future *handle, detail::future_state<T> *state) : handle_(handle), state_(state) {}

    rosser_future *handle_;
    detail::future_state<T> *state_;
};

// The value of a task, to be got by as many as like, before its finish has ended. May be copied.
template <class T> class shared_future {
public:
    // The value, or the exception. Waits for the task if need be.
    decltype(auto) get(const char *file = __builtin_FILE(), unsigned line = __builtin_LINE()) const
    {
        detail::wait(rosser_shared_future_wait_at, handle_, file, line);
        state_->rethrow();
        return std::as_const(state_->result).get();
    }

private:
    friend class future<T>;

    shared_future(rosser_shared_future *handle, detail::future_state<T> *state)
        : handle_(handle), state_(state)
    {
    }

    rosser_shared_future *handle_;
    detail::future_state<T> *state_;
};

template <class F>
auto scope::async_future(F &&function, const char *file, unsigned line)
    -> future<detail::result_of<std::decay_t<F>, scope>>
{
    using result = detail::result_of<std::decay_t<F>, scope>;
    struct frame : detail::future_state<result> {
        std::optional<std::decay_t<F>> function;
        scope &s;

        frame(F &&function, scope &s)
            : detail::future_state<result>(s.finish_), function(std::forward<F>(function)), s(s)
        {
        }
        static void *run(rosser_scope *, void *arg)
        {
            auto &self = *static_cast<frame *>(arg);
            self.result.run([&] { return detail::invoke(*self.function, self.s); });
            self.function.reset();
            return nullptr;
        }
        static void release(void *arg) { delete static_cast<frame *>(arg); }
    };
    auto owner = std::make_unique<frame>(std::forward<F>(function), *this);
    frame *arg = owner.release();
    detail::exceptions_aside aside;
    rosser_future *handle =
        rosser_async_future_at(handle_, &frame::run, arg, &frame::release, file, line);
    return future<result>(handle, arg);
}

// ---------------------------------------------------------------------------------------------------
// Promises

// A value that is set once; `get` waits for it.
template <class T> class promise {
public:
    explicit promise(const char *file = __builtin_FILE(), unsigned line = __builtin_LINE())
        : handle_(rosser_promise_new_at(file, line))
    {
    }
    promise(promise &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    ~promise() { rosser_promise_free_at(handle_, &release, __FILE__, __LINE__); }
    promise &operator=(promise &&other) noexcept
    {
        std::swap(handle_, other.handle_);
        return *this;
    }

    // A promise that may be set by something that is no task.
    static promise outside(const char *file = __builtin_FILE(), unsigned line = __builtin_LINE())
    {
        return promise(rosser_promise_outside_at(file, line));
    }

    // Sets the value. To set a promise twice is an error.
    void set(T value, const char *file = __builtin_FILE(), unsigned line = __builtin_LINE())
    {
        T *copy = new T(std::move(value));
        detail::exceptions_aside aside;
        rosser_promise_set_at(handle_, copy, file, line);
    }

    // Sets the value if there is none, and says whether it did.
    bool try_set(T value, const char *file = __builtin_FILE(), unsigned line = __builtin_LINE())
    {
        auto copy = std::make_unique<T>(std::move(value));
        detail::exceptions_aside aside;
        if (!rosser_promise_try_set_at(handle_, copy.get(), file, line)) {
            return false;
        }
        static_cast<void>(copy.release());
        return true;
    }

    // The value. Waits for it if need be.
    const T &get(const char *file = __builtin_FILE(), unsigned line = __builtin_LINE()) const
    {
        return *static_cast<const T *>(detail::wait(rosser_promise_wait_at, handle_, file, line));
    }

private:
    explicit promise(rosser_promise *handle) : handle_(handle) {}

    static void release(void *value) { delete static_cast<T *>(value); }

    rosser_promise *handle_;
};

// A promise without a value: that something has been done.
template <> class promise<void> {
public:
    explicit promise(const char *file = __builtin_FILE(), unsigned line = __builtin_LINE())
        : handle_(rosser_promise_new_at(file, line))
    {
    }
    promise(promise &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    ~promise() { rosser_promise_free_at(handle_, nullptr, __FILE__, __LINE__); }
    promise &operator=(promise &&other) noexcept
    {
        std::swap(handle_, other.handle_);
        return *this;
    }

    static promise outside(const char *file = __builtin_FILE(), unsigned line = __builtin_LINE())
    {
        return promise(rosser_promise_outside_at(file, line));
    }
    void set(const char *file = __builtin_FILE(), unsigned line = __builtin_LINE())
    {
        detail::exceptions_aside aside;
        rosser_promise_set_at(handle_, nullptr, file, line);
    }
    bool try_set(const char *file = __builtin_FILE(), unsigned line = __builtin_LINE())
    {
        detail::exceptions_aside aside;
        return rosser_promise_try_set_at(handle_, nullptr, file, line);
    }
    void get(const char *file = __builtin_FILE(), unsigned line = __builtin_LINE()) const
    {
        detail::wait(rosser_promise_wait_at, handle_, file, line);
    }

private:
    explicit promise(rosser_promise *handle) : handle_(handle) {}

    rosser_promise *handle_;
};

// ---------------------------------------------------------------------------------------------------
// Isolated sections

// Calls `section` while no other isolated section of the program runs. Gives back what it returns.
template <class F>
auto isolated(F &&section, const char *file = __builtin_FILE(), unsigned line = __builtin_LINE())
{
    struct frame {
        F &section;
        detail::outcome<std::invoke_result_t<F &>> outcome;

        static void run(void *arg)
        {
            auto &self = *static_cast<frame *>(arg);
            self.outcome.run(self.section);
        }
    } frame{section, {}};
    rosser_isolated_at(&frame::run, &frame, file, line);
    if (frame.outcome.exception) {
        std::rethrow_exception(frame.outcome.exception);
    }
    return frame.outcome.take();
}

// ---------------------------------------------------------------------------------------------------
// Spawn and sync, as in Cilk

// A procedure that is under way: to be used by its body alone.
class procedure {
public:
    procedure(const procedure &) = delete;
    procedure &operator=(const procedure &) = delete;

    // Starts a procedure as a child of this one. It is called with nothing or with a procedure of its
    // own.
    template <class F>
    void spawn(F &&body, const char *file = __builtin_FILE(), unsigned line = __builtin_LINE())
    {
        struct frame {
            std::decay_t<F> body;
            detail::failure &parent;
            const char *file;
            unsigned line;

            static void run(rosser_procedure *handle, void *arg)
            {
                auto self = std::unique_ptr<frame>(static_cast<frame *>(arg));
                detail::outcome<void> outcome;
                procedure p(handle);
                p.run(outcome, [&] { detail::invoke(self->body, p); }, self->file, self->line);
                self->parent.note(p.children_.take());
            }
        };
        auto arg = std::unique_ptr<frame>(new frame{std::forward<F>(body), children_, file, line});
        detail::exceptions_aside aside;
        rosser_spawn_at(handle_, &frame::run, arg.release(), file, line);
    }

    // Waits for all children.
    void sync(const char *file = __builtin_FILE(), unsigned line = __builtin_LINE())
    {
        wait(file, line);
        children_.rethrow();
    }

private:
    template <class F> friend auto call(F &&body, const char *file, unsigned line);

    explicit procedure(rosser_procedure *handle) : handle_(handle) {}

    // Runs the body and syncs, come what may. What was thrown is left with the children's.
    template <class Outcome, class F>
    void run(Outcome &outcome, F &&body, const char *file, unsigned line)
    {
        outcome.run(body);
        children_.note(std::move(outcome.exception));
        wait(file, line);
    }

    void wait(const char *file, unsigned line)
    {
        detail::exceptions_aside aside;
        rosser_sync_at(handle_, file, line);
    }

    rosser_procedure *handle_;
    detail::failure children_;
};

// Calls `body` as a procedure, which can spawn others and sync. It syncs at its end in any case. Gives
// back what `body` returns.
template <class F> auto call(F &&body, const char *file, unsigned line)
{
    using result = detail::result_of<F, procedure>;
    struct frame {
        F &body;
        const char *file;
        unsigned line;
        detail::outcome<result> outcome;
        std::exception_ptr exception;

        static void run(rosser_procedure *handle, void *arg)
        {
            auto &self = *static_cast<frame *>(arg);
            procedure p(handle);
            p.run(
                self.outcome, [&]() -> result { return detail::invoke(self.body, p); }, self.file,
                self.line);
            self.exception = p.children_.take();
        }
    } frame{body, file, line, {}, {}};
    {
        detail::exceptions_aside aside;
        rosser_call_at(&frame::run, &frame, file, line);
    }
    if (frame.exception) {
        std::rethrow_exception(frame.exception);
    }
    return frame.outcome.take();
}

// ---------------------------------------------------------------------------------------------------
// Accumulators

// Operators. Sums and products of integers wrap around.
struct sum {
    static constexpr rosser_operator for_doubles = ROSSER_SUM;

    template <class T> void operator()(T &total, T &&value) const
    {
        static_assert(!std::is_floating_point_v<T>, "the rounded sum would depend on the schedule");
        if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
            using bits = std::make_unsigned_t<T>;
            total = static_cast<T>(static_cast<bits>(total) + static_cast<bits>(value));
        } else {
            total += std::move(value);
        }
    }
};

struct product {
    template <class T> void operator()(T &total, T &&value) const
    {
        static_assert(!std::is_floating_point_v<T>, "the rounded product would depend on the schedule");
        if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
            // At least as wide as unsigned, so that nothing is promoted to a signed type.
            using bits = std::common_type_t<std::make_unsigned_t<T>, unsigned>;
            total = static_cast<T>(static_cast<bits>(total) * static_cast<bits>(value));
        } else {
            total *= std::move(value);
        }
    }
};

struct min {
    static constexpr rosser_operator for_doubles = ROSSER_MIN;

    template <class T> void operator()(T &total, T &&value) const
    {
        if (value < total) {
            total = std::move(value);
        }
    }
};

struct max {
    static constexpr rosser_operator for_doubles = ROSSER_MAX;

    template <class T> void operator()(T &total, T &&value) const
    {
        if (total < value) {
            total = std::move(value);
        }
    }
};

struct bit_and {
    template <class T> void operator()(T &total, T &&value) const { total &= std::move(value); }
};

struct bit_or {
    template <class T> void operator()(T &total, T &&value) const { total |= std::move(value); }
};

struct bit_xor {
    template <class T> void operator()(T &total, T &&value) const { total ^= std::move(value); }
};

// A value that tasks contribute to. `Operator` combines with `op(T &total, T &&value)`; whoever
// declares it says that it is commutative and associative.
template <class T, class Operator = sum> class accumulator {
    // What the library keeps and copies.
    static constexpr bool plain = std::is_trivially_copyable_v<T>;
    using kept = std::conditional_t<plain, T, T *>;

public:
    explicit accumulator(T initial, Operator op = {}, const char *file = __builtin_FILE(),
                         unsigned line = __builtin_LINE())
        : operator_(std::move(op))
    {
        kept value = keep(std::move(initial));
        handle_ = rosser_accumulator_new_at(&combine, &operator_, &value, sizeof value, file, line);
    }
    accumulator(const accumulator &) = delete;
    accumulator &operator=(const accumulator &) = delete;
    ~accumulator()
    {
        if constexpr (!plain) {
            delete total(__FILE__, __LINE__);
        }
        rosser_accumulator_free_at(handle_, __FILE__, __LINE__);
    }

    // Contributes a value.
    void accumulate(T value, const char *file = __builtin_FILE(), unsigned line = __builtin_LINE())
    {
        kept copy = keep(std::move(value));
        rosser_accumulate_at(handle_, &copy, file, line);
    }

    // The value so far: a copy, or a reference to what cannot simply be copied. All tasks that contribute
    // must have ended.
    std::conditional_t<plain, T, const T &> get(const char *file = __builtin_FILE(),
                                                unsigned line = __builtin_LINE())
    {
        if constexpr (plain) {
            return total(file, line);
        } else {
            return *total(file, line);
        }
    }

private:
    static kept keep(T &&value)
    {
        if constexpr (plain) {
            return value;
        } else {
            return new T(std::move(value));
        }
    }

    static void combine(void *total, void *value, void *context)
    {
        const auto &op = *static_cast<const Operator *>(context);
        auto &first = *static_cast<kept *>(total);
        auto &second = *static_cast<kept *>(value);
        if constexpr (plain) {
            op(first, std::move(second));
        } else {
            auto owned = std::unique_ptr<T>(second);
            op(*first, std::move(*owned));
        }
    }

    kept total(const char *file, unsigned line)
    {
        alignas(kept) unsigned char bytes[sizeof(kept)];
        rosser_accumulated_at(handle_, bytes, file, line);
        return *reinterpret_cast<kept *>(bytes);
    }

    Operator operator_;
    rosser_accumulator *handle_;
};

// Sums of doubles are exact and rounded once, when they are read; extremes ignore what is no number.
template <class Operator> class accumulator<double, Operator> {
public:
    explicit accumulator(double initial, const char *file = __builtin_FILE(),
                         unsigned line = __builtin_LINE())
        : handle_(rosser_double_accumulator_new_at(Operator::for_doubles, initial, file, line))
    {
    }
    accumulator(const accumulator &) = delete;
    accumulator &operator=(const accumulator &) = delete;
    ~accumulator() { rosser_double_accumulator_free_at(handle_, __FILE__, __LINE__); }

    void accumulate(double value, const char *file = __builtin_FILE(),
                    unsigned line = __builtin_LINE())
    {
        rosser_accumulate_double_at(handle_, value, file, line);
    }

    double get(const char *file = __builtin_FILE(), unsigned line = __builtin_LINE())
    {
        return rosser_accumulated_double_at(handle_, file, line);
    }

private:
    rosser_double_accumulator *handle_;
};

// ---------------------------------------------------------------------------------------------------
// The detector

// Leaves a variable unmonitored when the program is checked for races.
template <class T> void unmonitored(const T &variable)
{
    rosser_unmonitored(&variable, sizeof variable);
}

} // namespace rosser

#undef ROSSER_UNSEEN

#endif
