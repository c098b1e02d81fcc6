//@ says: rosser_promise_set was given a promise that is none
// A pointer to something else.
#include "rosser.h"

static void program(rosser_scope *s, void *arg)
{
    void *no_promise = s;
    rosser_promise_set(no_promise, NULL); //~ named
}

int main(void)
{
    rosser_finish(program, NULL);
}
