// DataRaceBench DRB173, non-sibling-taskdep: depend clauses order siblings only. Two outer tasks with a
// as inout run one after the other, but each leaves its increment to an inner task and ends without
// waiting for it. The inner tasks have different parents, so their own clauses do not order them
// either: the increments race.
#include <stdio.h>

#include "rosser.h"

static int a;
static rosser_promise *out_1, *out_2, *inner_1, *inner_2;

static void increment(rosser_scope *s, void *arg) // depend(inout: a), first among its siblings
{
    a++; //~ race 1
    rosser_promise_set(arg, NULL);
}

static void first(rosser_scope *s, void *arg) // depend(inout: a)
{
    rosser_async(s, increment, inner_1);
    rosser_promise_set(out_1, NULL);
}

static void second(rosser_scope *s, void *arg) // depend(inout: a)
{
    rosser_promise_get(out_1);
    rosser_async(s, increment, inner_2);
    rosser_promise_set(out_2, NULL);
}

static void program(rosser_scope *s, void *arg)
{
    rosser_async(s, first, NULL);
    rosser_async(s, second, NULL);
}

int main(void)
{
    rosser_promise **promises[] = {&out_1, &out_2, &inner_1, &inner_2};
    for (int i = 0; i < 4; i++) {
        *promises[i] = rosser_promise_new();
    }
    rosser_finish(program, NULL);
    for (int i = 0; i < 4; i++) {
        rosser_promise_free(*promises[i]);
    }
    printf("a=%d\n", a);
    return 0;
}
