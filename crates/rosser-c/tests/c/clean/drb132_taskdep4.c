// DataRaceBench DRB132, taskdep4: as DRB131, but y is read only after the second taskwait, here the
// end of the finish.
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
    y--;
}

static void program(rosser_scope *s, void *arg)
{
    rosser_async(s, increment, NULL);
    rosser_async(s, decrement, NULL);
    rosser_promise_get(out_x); // depend(in: x) if(0)
    printf("x=%d\n", x);
}

int main(void)
{
    out_x = rosser_promise_new();
    rosser_finish(program, NULL);
    rosser_promise_free(out_x);
    printf("y=%d\n", y);
    return x == 1 && y == 1 ? 0 : 1;
}
