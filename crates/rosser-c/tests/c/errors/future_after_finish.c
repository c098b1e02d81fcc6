//@ says: rosser_future_get was given a future that was made at
// A future is got after its finish has ended.
#include "rosser.h"

static rosser_future *future;

static void *value(rosser_scope *s, void *arg)
{
    return arg;
}

static void program(rosser_scope *s, void *arg)
{
    future = rosser_async_future(s, value, NULL); //~ named
}

int main(void)
{
    rosser_finish(program, NULL); //~ named
    rosser_future_get(future);    //~ named
}
