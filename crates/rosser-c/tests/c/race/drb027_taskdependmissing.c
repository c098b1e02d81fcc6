// DataRaceBench DRB027, taskdependmissing: two tasks without depend clauses. Nothing orders the two
// writes: i ends as 1 or as 2.
#include <stdio.h>

#include "rosser.h"

static int i;

static void first(rosser_scope *s, void *arg)
{
    i = 1; //~ race 1
}

static void second(rosser_scope *s, void *arg)
{
    i = 2; //~ race 1
}

static void program(rosser_scope *s, void *arg)
{
    rosser_async(s, first, NULL);
    rosser_async(s, second, NULL);
}

int main(void)
{
    rosser_finish(program, NULL);
    printf("i=%d\n", i);
    return 0;
}
