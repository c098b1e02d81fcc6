// DataRaceBench DRB131, taskdep4: waiting for x says nothing about y. The parent waits, by an empty
// undeferred task with x as input, for the task that increments x. The task that decrements y has no
// depend clause and may still be running when y is read.
#include <stdio.h>

#include "rosser.h"

static int x = 0, y = 2;
static rosser_promise *out_x;

static void increment(rosser_scope *s, void *arg) // depend(inout: x)
{
    x++;
    rosser_promise_set(out_x, NULL);
}

static void decrement(rosser_scope *s, void *arg) // no depend clause
{
    y--; //~ race 1
}

static void program(rosser_scope *s, void *arg)
{
    rosser_async(s, increment, NULL);
    rosser_async(s, decrement, NULL);
    rosser_promise_get(out_x); // depend(in: x) if(0)
    printf("x=%d\n", x);
    printf("y=%d\n", y); //~ race 1
}

int main(void)
{
    out_x = rosser_promise_new();
    rosser_finish(program, NULL);
    rosser_promise_free(out_x);
    return 0;
}
