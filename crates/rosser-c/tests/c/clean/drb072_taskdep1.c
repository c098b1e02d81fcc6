// DataRaceBench DRB072, taskdep1: depend(out: i), then depend(in: i). The clause becomes a promise that
// the first task sets at its end and the second gets at its start.
#include <stdio.h>

#include "rosser.h"

static int i;
static rosser_promise *out_i;

static void first(rosser_scope *s, void *arg) // depend(out: i)
{
    i = 1;
    rosser_promise_set(out_i, NULL);
}

static void second(rosser_scope *s, void *arg) // depend(in: i)
{
    rosser_promise_get(out_i);
    i = 2;
}

static void program(rosser_scope *s, void *arg)
{
    rosser_async(s, first, NULL);
    rosser_async(s, second, NULL);
}

int main(void)
{
    out_i = rosser_promise_new();
    rosser_finish(program, NULL);
    rosser_promise_free(out_i);
    printf("i=%d\n", i);
    return i == 2 ? 0 : 1;
}
