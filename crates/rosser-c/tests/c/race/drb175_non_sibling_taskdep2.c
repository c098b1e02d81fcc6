// DataRaceBench DRB175, non-sibling-taskdep2: every thread makes its own task. Each thread of the
// parallel region (two here) creates a task with a as inout. The tasks have different implicit tasks as
// parents, so the clause orders nothing: the promise each would set is known to nobody else.
#include <stdio.h>

#include "rosser.h"

static int a;

static void increment(rosser_scope *s, void *arg) // depend(inout: a)
{
    a++; //~ race 1
    rosser_promise_set(arg, NULL);
}

static void thread(rosser_scope *s, void *arg)
{
    rosser_promise **out_a = arg;
    *out_a = rosser_promise_new();
    rosser_async(s, increment, *out_a);
}

static void program(rosser_scope *s, void *arg)
{
    rosser_promise **out_a = arg;
    for (int i = 0; i < 2; i++) {
        rosser_async(s, thread, &out_a[i]);
    }
}

int main(void)
{
    rosser_promise *out_a[2];
    rosser_finish(program, out_a);
    for (int i = 0; i < 2; i++) {
        rosser_promise_free(out_a[i]);
    }
    printf("a=%d\n", a);
    return 0;
}
