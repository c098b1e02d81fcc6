// DataRaceBench DRB134, taskdep5: as DRB133, but y is read while the second task may still be running:
// the parent has waited for the first task only.
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
    y -= x; //~ race 1
    rosser_promise_set(out_y, NULL);
}

static void program(rosser_scope *s, void *arg)
{
    rosser_async(s, increment, NULL);
    rosser_async(s, subtract, NULL);
    rosser_promise_get(out_x); // depend(in: x) if(0)
    printf("x=%d\n", x);
    printf("y=%d\n", y); //~ race 1
}

int main(void)
{
    out_x = rosser_promise_new();
    out_y = rosser_promise_new();
    rosser_finish(program, NULL);
    rosser_promise_free(out_x);
    rosser_promise_free(out_y);
    return 0;
}
