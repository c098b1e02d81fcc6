// DataRaceBench DRB079, taskdep3: one writer, two readers. Both readers wait for the writer. They are
// parallel with each other, but only read i, and write different variables.
#include <stdio.h>

#include "rosser.h"

static int i, j, k;
static rosser_promise *out_i;

static void writer(rosser_scope *s, void *arg) // depend(out: i)
{
    i = 1;
    rosser_promise_set(out_i, NULL);
}

static void first_reader(rosser_scope *s, void *arg) // depend(in: i)
{
    rosser_promise_get(out_i);
    j = i;
}

static void second_reader(rosser_scope *s, void *arg) // depend(in: i)
{
    rosser_promise_get(out_i);
    k = i;
}

static void program(rosser_scope *s, void *arg)
{
    rosser_async(s, writer, NULL);
    rosser_async(s, first_reader, NULL);
    rosser_async(s, second_reader, NULL);
}

int main(void)
{
    out_i = rosser_promise_new();
    rosser_finish(program, NULL);
    rosser_promise_free(out_i);
    printf("j=%d k=%d\n", j, k);
    return j == 1 && k == 1 ? 0 : 1;
}
