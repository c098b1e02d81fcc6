//@ says: deadlock: 1 task is blocked
// A task waits for a finish inside which a task waits for what the first is to set.
#include "rosser.h"

static rosser_promise *promise;

static void child(rosser_scope *s, void *arg)
{
    rosser_promise_get(promise); //~ named
}

static void inner(rosser_scope *s, void *arg)
{
    rosser_async(s, child, NULL);
}

static void program(rosser_scope *s, void *arg)
{
    rosser_finish(inner, NULL);
    rosser_promise_set(promise, NULL);
}

int main(void)
{
    promise = rosser_promise_new(); //~ named
    rosser_finish(program, NULL);
}
