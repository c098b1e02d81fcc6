//@ says: deadlock: 1 task is blocked
// A get in main, where nobody is left who could set the promise.
#include "rosser.h"

static void program(rosser_scope *s, void *arg)
{
}

int main(void)
{
    rosser_promise *promise = rosser_promise_new(); //~ named
    rosser_finish(program, NULL);
    rosser_promise_get(promise); //~ named
}
