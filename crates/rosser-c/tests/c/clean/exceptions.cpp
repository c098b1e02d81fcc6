// An exception that leaves a task is thrown again where the task is joined, and handlers may wait.
#include <stdexcept>
#include <string>
#include <vector>

#include "rosser.hpp"

static int failures = 0;

static void expect(bool condition)
{
    failures += !condition;
}

// What a function throws.
template <class F> std::string thrown(F function)
{
    try {
        function();
    } catch (const std::exception &exception) {
        return exception.what();
    }
    return "nothing";
}

static void fail(const char *text)
{
    throw std::runtime_error(text);
}

int main()
{
    // At the end of a finish, after all its tasks.
    int ended = 0;
    expect(thrown([&] {
        rosser::finish([&](rosser::scope &s) {
            s.async([] { fail("in a task"); });
            s.async([&] { ended = 1; });
        });
    }) == "in a task");
    expect(ended == 1);
    expect(thrown([] { rosser::finish([](rosser::scope &) { fail("in a body"); }); }) == "in a body");

    // At the end of a scope; and, if that is the end of its life, at that of the finish.
    rosser::finish([&](rosser::scope &s) {
        auto part = s.begin();
        part.async([] { fail("in a scope"); });
        expect(thrown([&] { part.end(); }) == "in a scope");
    });
    expect(thrown([] {
        rosser::finish([](rosser::scope &s) {
            auto part = s.begin();
            part.async([] { fail("left alone"); });
        });
    }) == "left alone");

    // At a sync, or at the end of a procedure, from however deep.
    rosser::call([&](rosser::procedure &p) {
        p.spawn([](rosser::procedure &p) { p.spawn([] { fail("in a grandchild"); }); });
        expect(thrown([&] { p.sync(); }) == "in a grandchild");
        p.sync();
    });
    expect(thrown([] {
        rosser::call([](rosser::procedure &p) { p.spawn([] { fail("in a child"); }); });
    }) == "in a child");

    // Where a future is got; at the end of the finish if it is not.
    rosser::finish([&](rosser::scope &s) {
        auto once = s.async_future([]() -> int { throw std::runtime_error("no value"); });
        expect(thrown([&] { once.get(); }) == "no value");
        auto shared = s.async_future([] { fail("for nobody"); }).share();
        for (int i = 0; i < 2; i++) {
            expect(thrown([&] { shared.get(); }) == "for nobody");
        }
    });
    expect(thrown([] {
        rosser::finish([](rosser::scope &s) { s.async_future([] { fail("not got"); }); });
    }) == "not got");

    // Out of an isolated section.
    expect(thrown([] { rosser::isolated([] { fail("isolated"); }); }) == "isolated");
    expect(rosser::isolated([] { return 5; }) == 5);

    // What somebody else was to set will never be set: that comes second.
    expect(thrown([] {
        rosser::promise<int> never;
        rosser::finish([&](rosser::scope &s) {
            s.async([&] { never.get(); });
            s.async([] { fail("the cause"); });
        });
    }) == "the cause");

    // Tasks that wait while they handle an exception, and go on in another order than C++ is used to:
    // each has its own.
    constexpr int tasks = 20;
    std::vector<rosser::promise<void>> entered(tasks), turns(tasks + 1);
    std::vector<std::string> handled(tasks);
    rosser::finish([&](rosser::scope &s) {
        for (int i = 0; i < tasks; i++) {
            s.async([&, i] {
                handled[i] = thrown([&, i] {
                    try {
                        fail(std::to_string(i).c_str());
                    } catch (...) {
                        entered[i].set();
                        turns[i].get();
                        turns[i + 1].set();
                        throw;
                    }
                });
            });
        }
        for (auto &promise : entered) {
            promise.get();
        }
        turns[0].set();
    });
    for (int i = 0; i < tasks; i++) {
        expect(handled[i] == std::to_string(i));
    }
    return failures;
}
