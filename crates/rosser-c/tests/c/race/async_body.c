// The body of a finish goes on while its tasks run.
#include <stdio.h>

#include "rosser.h"

static void task(rosser_scope *s, void *arg)
{
    int *x = arg;
    *x = 1; //~ race 1
}

static void body(rosser_scope *s, void *arg)
{
    int *x = arg;
    rosser_async(s, task, x);
    printf("x=%d\n", *x); //~ race 1
}

int main(void)
{
    int x = 0;
    rosser_finish(body, &x);
    return x == 1 ? 0 : 1;
}
