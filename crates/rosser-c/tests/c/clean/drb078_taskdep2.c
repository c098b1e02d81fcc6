// DataRaceBench DRB078, taskdep2: depend(out: i) twice. The later task waits for the earlier, so i ends
// as 2. Each output has its own promise; no later task is interested in the second.
#include <stdio.h>

#include "rosser.h"

static int i;
static rosser_promise *out_i_1, *out_i_2;

static void first(rosser_scope *s, void *arg) // depend(out: i)
{
    i = 1;
    rosser_promise_set(out_i_1, NULL);
}

static void second(rosser_scope *s, void *arg) // depend(out: i)
{
    rosser_promise_get(out_i_1);
    i = 2;
    rosser_promise_set(out_i_2, NULL);
}

static void program(rosser_scope *s, void *arg)
{
    rosser_async(s, first, NULL);
    rosser_async(s, second, NULL);
}

int main(void)
{
    out_i_1 = rosser_promise_new();
    out_i_2 = rosser_promise_new();
    rosser_finish(program, NULL);
    rosser_promise_free(out_i_1);
    rosser_promise_free(out_i_2);
    printf("i=%d\n", i);
    return i == 2 ? 0 : 1;
}
