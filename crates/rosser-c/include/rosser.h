/*
 * Rosser: tasks for parallel programs that are meant to be deterministic.
 *
 * Tasks are started and joined in the ways of the literature: async and finish, spawn and sync,
 * futures, promises. They run on a pool of threads, one for each processor. A task that has to wait
 * is suspended and frees its thread; and if nobody is left who could set what it waits for, the
 * program ends with a message and does not hang.
 *
 *     static void hello(rosser_scope *s, void *arg)
 *     {
 *         (void)s;
 *         puts(arg);
 *     }
 *
 *     static void program(rosser_scope *s, void *arg)
 *     {
 *         (void)arg;
 *         rosser_async(s, hello, "hello");
 *         rosser_async(s, hello, "world");
 *     }
 *
 *     int main(void)
 *     {
 *         rosser_finish(program, NULL);
 *     }
 *
 * Usable from C11 and C++; for C++17 there is also `rosser.hpp`.
 *
 * Tasks are functions with one argument, a pointer that nobody but the program looks at. What it
 * points to must live until the task has ended. A task that was started with `rosser_async` may
 * outlive the one that started it, so this must not be on the stack of a task that does not wait for
 * it; `rosser_async_copy` makes a copy for the task.
 *
 * Main is no task: `rosser_finish` and `rosser_call` may be called from any thread and turn what they
 * call into one, which runs on a thread of the pool while the caller sleeps. A task begins on any
 * thread of the pool and stays there. It has 1 MiB of stack, or what the environment variable
 * RUST_MIN_STACK says, in bytes. RAYON_NUM_THREADS says how many threads there are.
 *
 * Errors, such as a promise set twice, a deadlock or a null pointer, end the program: a message on
 * stderr that names the lines of the program involved, then abort(). A pointer to something that has
 * been ended or freed is an error like that if it was lately, and undefined if it was long ago.
 *
 * Most names below are macros, which pass the place of the call on to the function behind them.
 */
#ifndef ROSSER_H
#define ROSSER_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * Finish and async
 */

/* Where tasks are started: a finish, or a scope inside one. The same pointer is given to its body and
 * to all its tasks, and is good until it has ended. */
typedef struct rosser_scope rosser_scope;

/* What a task does. `s` is the scope that the task belongs to, for more tasks of the same scope. */
typedef void rosser_task(rosser_scope *s, void *arg);

/* void rosser_finish(rosser_task *body, void *arg);
 *
 * Calls `body`, which can start tasks, and waits until it and all its tasks have ended, however deeply
 * they were started. May be called anywhere but inside an isolated section. */
#define rosser_finish(body, arg) rosser_finish_at((body), (arg), __FILE__, __LINE__)

/* void rosser_async(rosser_scope *s, rosser_task *task, void *arg);
 *
 * Starts a task. It may run at once, later, or in parallel. */
#define rosser_async(s, task, arg) rosser_async_at((s), (task), (arg), __FILE__, __LINE__)

/* void rosser_async_copy(rosser_scope *s, rosser_task *task, const void *arg, size_t size);
 *
 * Starts a task with an argument of its own: a copy of `size` bytes, made before the call returns and
 * freed when the task has ended. */
#define rosser_async_copy(s, task, arg, size)                                                          \
    rosser_async_copy_at((s), (task), (arg), (size), __FILE__, __LINE__)

/* rosser_scope *rosser_begin(rosser_scope *s);
 * void rosser_end(rosser_scope *scope);
 *
 * Begins a scope inside `s`, and ends it: waits for all tasks started in it, and those they have started
 * in it. So tasks can be waited for before the finish ends, and depending on a condition, like Cilk's
 * `if (…) sync;`. A scope is ended by the task that began it, once, before its finish ends. */
#define rosser_begin(s) rosser_begin_at((s), __FILE__, __LINE__)
#define rosser_end(scope) rosser_end_at((scope), __FILE__, __LINE__)

/* ------------------------------------------------------------------------------------------------
 * Spawn and sync, as in Cilk
 */

/* A procedure that is under way: good until its body has returned, and to be used by its body alone. */
typedef struct rosser_procedure rosser_procedure;

/* What a procedure does. */
typedef void rosser_body(rosser_procedure *p, void *arg);

/* void rosser_call(rosser_body *body, void *arg);
 *
 * Calls a procedure, which can spawn others and sync. It syncs at its end in any case. May be called
 * anywhere but inside an isolated section. */
#define rosser_call(body, arg) rosser_call_at((body), (arg), __FILE__, __LINE__)

/* void rosser_spawn(rosser_procedure *p, rosser_body *body, void *arg);
 *
 * Starts a procedure as a child of `p`. */
#define rosser_spawn(p, body, arg) rosser_spawn_at((p), (body), (arg), __FILE__, __LINE__)

/* void rosser_sync(rosser_procedure *p);
 *
 * Waits for all children of `p`. */
#define rosser_sync(p) rosser_sync_at((p), __FILE__, __LINE__)

/* ------------------------------------------------------------------------------------------------
 * Promises
 */

/* A pointer that is set once, and waited for by as many as like. */
typedef struct rosser_promise rosser_promise;

/* rosser_promise *rosser_promise_new(void);
 *
 * A promise that a task will set. */
#define rosser_promise_new() rosser_promise_new_at(__FILE__, __LINE__)

/* rosser_promise *rosser_promise_outside(void);
 *
 * A promise that may be set by something that is no task. To wait for it is never a deadlock. */
#define rosser_promise_outside() rosser_promise_outside_at(__FILE__, __LINE__)

/* void rosser_promise_set(rosser_promise *promise, void *value);
 *
 * Sets the value, which may be null. To set a promise twice is an error. */
#define rosser_promise_set(promise, value)                                                             \
    rosser_promise_set_at((promise), (value), __FILE__, __LINE__)

/* bool rosser_promise_try_set(rosser_promise *promise, void *value);
 *
 * Sets the value if there is none, and says whether it did. Of two tasks that try, the schedule decides
 * which succeeds. */
#define rosser_promise_try_set(promise, value)                                                         \
    rosser_promise_try_set_at((promise), (value), __FILE__, __LINE__)

/* void *rosser_promise_get(rosser_promise *promise);
 *
 * The value. Waits for it if need be. It is an error if the value will never come, because no task is
 * left that could set it, and if it would have to be waited for inside an isolated section. */
#define rosser_promise_get(promise) rosser_promise_get_at((promise), __FILE__, __LINE__)

/* void rosser_promise_free(rosser_promise *promise);
 *
 * Frees a promise that no task uses any more. Null is ignored. */
#define rosser_promise_free(promise) rosser_promise_free_at((promise), NULL, __FILE__, __LINE__)

/* ------------------------------------------------------------------------------------------------
 * Futures
 */

/* The value of a task, to be got once. It is freed when the finish of its task has ended. */
typedef struct rosser_future rosser_future;

/* The value of a task, to be got by as many as like. It is freed when the finish of its task has
 * ended. */
typedef struct rosser_shared_future rosser_shared_future;

/* What a task with a value does. */
typedef void *rosser_function(rosser_scope *s, void *arg);

/* rosser_future *rosser_async_future(rosser_scope *s, rosser_function *function, void *arg);
 *
 * Starts a task whose value is wanted. */
#define rosser_async_future(s, function, arg)                                                          \
    rosser_async_future_at((s), (function), (arg), NULL, __FILE__, __LINE__)

/* void *rosser_future_get(rosser_future *future);
 *
 * The value. Waits for the task if need be. To get a future twice is an error; for others see
 * rosser_promise_get. */
#define rosser_future_get(future) rosser_future_get_at((future), __FILE__, __LINE__)

/* rosser_shared_future *rosser_future_share(rosser_future *future);
 *
 * Makes it possible to get the value more than once, from more than one task. The future itself cannot
 * be got any more. */
#define rosser_future_share(future) rosser_future_share_at((future), __FILE__, __LINE__)

/* void *rosser_shared_future_get(rosser_shared_future *future);
 *
 * The value. Waits for the task if need be. */
#define rosser_shared_future_get(future) rosser_shared_future_get_at((future), __FILE__, __LINE__)

/* void rosser_future_free(rosser_future *future);
 *
 * Frees a future that has been got, earlier than its finish would. */
#define rosser_future_free(future) rosser_future_free_at((future), __FILE__, __LINE__)

/* ------------------------------------------------------------------------------------------------
 * Isolated sections
 */

/* What is done in a section. */
typedef void rosser_section(void *arg);

/* void rosser_isolated(rosser_section *section, void *arg);
 *
 * Calls `section` while no other isolated section of the program runs. A section within a section is
 * part of it. It must not start tasks or wait for any. Isolation makes sections atomic, not ordered: if
 * they do not commute, the result depends on the schedule. */
#define rosser_isolated(section, arg) rosser_isolated_at((section), (arg), __FILE__, __LINE__)

/* ------------------------------------------------------------------------------------------------
 * Accumulators: values that many tasks add to, in any order
 *
 * The result is the same whatever the schedule, because the operator is commutative and associative.
 * It is to be read when all tasks that contribute have ended; before, it depends on the schedule what is
 * in it.
 */

/* The operators for numbers. Sums and products of longs wrap around. The sum of doubles is exact and
 * rounded once, when it is read. Otherwise there are only min and max for doubles, which ignore what is
 * no number. */
typedef enum rosser_operator {
    ROSSER_SUM,
    ROSSER_PRODUCT,
    ROSSER_MIN,
    ROSSER_MAX,
    ROSSER_AND, /* bitwise, as the next two */
    ROSSER_OR,
    ROSSER_XOR
} rosser_operator;

typedef struct rosser_long_accumulator rosser_long_accumulator;
typedef struct rosser_double_accumulator rosser_double_accumulator;

/* rosser_long_accumulator *rosser_long_accumulator_new(rosser_operator op, long initial);
 * void rosser_accumulate_long(rosser_long_accumulator *accumulator, long value);
 * long rosser_accumulated_long(rosser_long_accumulator *accumulator);
 * void rosser_long_accumulator_free(rosser_long_accumulator *accumulator);
 *
 * Makes an accumulator that starts with a value, contributes to it, reads it, frees it. */
#define rosser_long_accumulator_new(op, initial)                                                       \
    rosser_long_accumulator_new_at((op), (initial), __FILE__, __LINE__)
#define rosser_accumulate_long(accumulator, value)                                                     \
    rosser_accumulate_long_at((accumulator), (value), __FILE__, __LINE__)
#define rosser_accumulated_long(accumulator)                                                           \
    rosser_accumulated_long_at((accumulator), __FILE__, __LINE__)
#define rosser_long_accumulator_free(accumulator)                                                      \
    rosser_long_accumulator_free_at((accumulator), __FILE__, __LINE__)

/* The same for doubles. */
#define rosser_double_accumulator_new(op, initial)                                                     \
    rosser_double_accumulator_new_at((op), (initial), __FILE__, __LINE__)
#define rosser_accumulate_double(accumulator, value)                                                   \
    rosser_accumulate_double_at((accumulator), (value), __FILE__, __LINE__)
#define rosser_accumulated_double(accumulator)                                                         \
    rosser_accumulated_double_at((accumulator), __FILE__, __LINE__)
#define rosser_double_accumulator_free(accumulator)                                                    \
    rosser_double_accumulator_free_at((accumulator), __FILE__, __LINE__)

/* Values of any type, combined by a function of the program. */
typedef struct rosser_accumulator rosser_accumulator;

/* Combines `value` into `total`; `value` is not used afterwards. Whoever declares such a function says
 * that it is commutative and associative; nothing checks it. It may be called in any task, also at the
 * same time, and must not start or wait for tasks. */
typedef void rosser_combine(void *total, void *value, void *context);

/* rosser_accumulator *rosser_accumulator_new(rosser_combine *combine, void *context,
 *                                            const void *initial, size_t size);
 * void rosser_accumulate(rosser_accumulator *accumulator, const void *value);
 * void rosser_accumulated(rosser_accumulator *accumulator, void *value);
 * void rosser_accumulator_free(rosser_accumulator *accumulator);
 *
 * All values have `size` bytes, and are copied. rosser_accumulated writes to where `value` points. */
#define rosser_accumulator_new(combine, context, initial, size)                                        \
    rosser_accumulator_new_at((combine), (context), (initial), (size), __FILE__, __LINE__)
#define rosser_accumulate(accumulator, value)                                                          \
    rosser_accumulate_at((accumulator), (value), __FILE__, __LINE__)
#define rosser_accumulated(accumulator, value)                                                         \
    rosser_accumulated_at((accumulator), (value), __FILE__, __LINE__)
#define rosser_accumulator_free(accumulator)                                                           \
    rosser_accumulator_free_at((accumulator), __FILE__, __LINE__)

/* ------------------------------------------------------------------------------------------------
 * The detector
 */

/* Leaves a variable unmonitored when the program is checked for races: accesses to it are neither
 * checked nor remembered, until its memory is freed. Otherwise without effect. */
void rosser_unmonitored(const void *variable, size_t size);

/* ------------------------------------------------------------------------------------------------
 * The functions behind the macros. `file` has to live as long as the program.
 */

void rosser_finish_at(rosser_task *body, void *arg, const char *file, unsigned line);
void rosser_async_at(rosser_scope *s, rosser_task *task, void *arg, const char *file, unsigned line);
void rosser_async_copy_at(rosser_scope *s, rosser_task *task, const void *arg, size_t size,
                          const char *file, unsigned line);
rosser_scope *rosser_begin_at(rosser_scope *s, const char *file, unsigned line);
void rosser_end_at(rosser_scope *scope, const char *file, unsigned line);

void rosser_call_at(rosser_body *body, void *arg, const char *file, unsigned line);
void rosser_spawn_at(rosser_procedure *p, rosser_body *body, void *arg, const char *file,
                     unsigned line);
void rosser_sync_at(rosser_procedure *p, const char *file, unsigned line);

rosser_promise *rosser_promise_new_at(const char *file, unsigned line);
rosser_promise *rosser_promise_outside_at(const char *file, unsigned line);
void rosser_promise_set_at(rosser_promise *promise, void *value, const char *file, unsigned line);
bool rosser_promise_try_set_at(rosser_promise *promise, void *value, const char *file, unsigned line);
void *rosser_promise_get_at(rosser_promise *promise, const char *file, unsigned line);
/* If `release` is not null, and the promise was set, it is called with the value. */
void rosser_promise_free_at(rosser_promise *promise, rosser_section *release, const char *file,
                            unsigned line);

/* If `release` is not null, it is called with `arg` when the future is freed. */
rosser_future *rosser_async_future_at(rosser_scope *s, rosser_function *function, void *arg,
                                      rosser_section *release, const char *file, unsigned line);
void *rosser_future_get_at(rosser_future *future, const char *file, unsigned line);
rosser_shared_future *rosser_future_share_at(rosser_future *future, const char *file, unsigned line);
void *rosser_shared_future_get_at(rosser_shared_future *future, const char *file, unsigned line);
void rosser_future_free_at(rosser_future *future, const char *file, unsigned line);

/* As the functions to get, but if there will be no value, they return false and write the reason into
 * a buffer, cut if it is too small. For languages that have exceptions. */
bool rosser_promise_wait_at(rosser_promise *promise, void **value, char *report, size_t size,
                            const char *file, unsigned line);
bool rosser_future_wait_at(rosser_future *future, void **value, char *report, size_t size,
                           const char *file, unsigned line);
bool rosser_shared_future_wait_at(rosser_shared_future *future, void **value, char *report,
                                  size_t size, const char *file, unsigned line);

void rosser_isolated_at(rosser_section *section, void *arg, const char *file, unsigned line);

rosser_long_accumulator *rosser_long_accumulator_new_at(rosser_operator op, long initial,
                                                        const char *file, unsigned line);
void rosser_accumulate_long_at(rosser_long_accumulator *accumulator, long value, const char *file,
                               unsigned line);
long rosser_accumulated_long_at(rosser_long_accumulator *accumulator, const char *file,
                                unsigned line);
void rosser_long_accumulator_free_at(rosser_long_accumulator *accumulator, const char *file,
                                     unsigned line);

rosser_double_accumulator *rosser_double_accumulator_new_at(rosser_operator op, double initial,
                                                            const char *file, unsigned line);
void rosser_accumulate_double_at(rosser_double_accumulator *accumulator, double value,
                                 const char *file, unsigned line);
double rosser_accumulated_double_at(rosser_double_accumulator *accumulator, const char *file,
                                    unsigned line);
void rosser_double_accumulator_free_at(rosser_double_accumulator *accumulator, const char *file,
                                       unsigned line);

rosser_accumulator *rosser_accumulator_new_at(rosser_combine *combine, void *context,
                                              const void *initial, size_t size, const char *file,
                                              unsigned line);
void rosser_accumulate_at(rosser_accumulator *accumulator, const void *value, const char *file,
                          unsigned line);
void rosser_accumulated_at(rosser_accumulator *accumulator, void *value, const char *file,
                           unsigned line);
void rosser_accumulator_free_at(rosser_accumulator *accumulator, const char *file, unsigned line);

#ifdef __cplusplus
}
#endif

#endif
