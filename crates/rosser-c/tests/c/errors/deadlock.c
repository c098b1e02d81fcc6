//@ says: deadlock: 2 tasks are blocked
// Two tasks wait for one another.
#include "rosser.h"

static rosser_promise *a, *b;

static void first(rosser_scope *s, void *arg)
{
    rosser_promise_get(a); //~ named
    rosser_promise_set(b, NULL);
}

static void second(rosser_scope *s, void *arg)
{
    rosser_promise_get(b); //~ named
    rosser_promise_set(a, NULL);
}

static void program(rosser_scope *s, void *arg)
{
    rosser_async(s, first, NULL);
    rosser_async(s, second, NULL);
}

int main(void)
{
    a = rosser_promise_new(); //~ named
    b = rosser_promise_new(); //~ named
    rosser_finish(program, NULL);
}
