//@ says: deadlock: 2 tasks are blocked
// A task gets its own value.
#include "rosser.h"

static rosser_shared_future *self;
static rosser_promise *ready;

static void *value(rosser_scope *s, void *arg)
{
    rosser_promise_get(ready);
    return rosser_shared_future_get(self); //~ named
}

static void program(rosser_scope *s, void *arg)
{
    self = rosser_future_share(rosser_async_future(s, value, NULL)); //~ named
    rosser_promise_set(ready, NULL);
    rosser_shared_future_get(self); //~ named
}

int main(void)
{
    ready = rosser_promise_new();
    rosser_finish(program, NULL);
}
