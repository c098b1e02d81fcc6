//@ says: can be got once, and was got at
// A future is got twice.
#include "rosser.h"

static void *value(rosser_scope *s, void *arg)
{
    return arg;
}

static void program(rosser_scope *s, void *arg)
{
    rosser_future *future = rosser_async_future(s, value, NULL); //~ named
    rosser_future_get(future);                                   //~ named
    rosser_future_get(future);                                   //~ named
}

int main(void)
{
    rosser_finish(program, NULL);
}
