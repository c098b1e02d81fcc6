// DataRaceBench DRB174, non-sibling-taskdep: as DRB173, but each outer task waits for its inner task
// before it ends, here by a finish. The promise between the outer tasks then orders the increments as
// well.
#include <stdio.h>

#include "rosser.h"

static int a;
static rosser_promise *out_1, *out_2;

static void increment(rosser_scope *s, void *arg) // depend(inout: a)
{
    a++;
}

static void inner(rosser_scope *s, void *arg)
{
    rosser_async(s, increment, NULL);
}

static void first(rosser_scope *s, void *arg) // depend(inout: a)
{
    rosser_finish(inner, NULL); // taskwait
    rosser_promise_set(out_1, NULL);
}

static void second(rosser_scope *s, void *arg) // depend(inout: a)
{
    rosser_promise_get(out_1);
    rosser_finish(inner, NULL); // taskwait
    rosser_promise_set(out_2, NULL);
}

static void program(rosser_scope *s, void *arg)
{
    rosser_async(s, first, NULL);
    rosser_async(s, second, NULL);
}

int main(void)
{
    out_1 = rosser_promise_new();
    out_2 = rosser_promise_new();
    rosser_finish(program, NULL);
    rosser_promise_free(out_1);
    rosser_promise_free(out_2);
    printf("a=%d\n", a);
    return a == 2 ? 0 : 1;
}
