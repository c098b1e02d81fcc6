// DataRaceBench DRB133, taskdep5: a chain from x to y. The second task has x as input and y as inout,
// so it runs after the first. The parent waits for x alone and reads x, in parallel with the second
// task's read of it; y is read after the join.
#include <stdio.h>

#include "rosser.h"

static int x = 0, y = 2;
static rosser_promise *out_x, *out_y;

static void increment(rosser_scope *s, void *arg) // depend(inout: x)
{
    x++;
    rosser_promise_set(out_x, NULL);
}

static void subtract(rosser_scope *s, void *arg) // depend(in: x) depend(inout: y)
{
    rosser_promise_get(out_x);
    y -= x;
    rosser_promise_set(out_y, NULL);
}

static void program(rosser_scope *s, void *arg)
{
    rosser_async(s, increment, NULL);
    rosser_async(s, subtract, NULL);
    rosser_promise_get(out_x); // depend(in: x) if(0)
    printf("x=%d\n", x);
}

int main(void)
{
    out_x = rosser_promise_new();
    out_y = rosser_promise_new();
    rosser_finish(program, NULL);
    rosser_promise_free(out_x);
    rosser_promise_free(out_y);
    printf("y=%d\n", y);
    return x == 1 && y == 1 ? 0 : 1;
}
