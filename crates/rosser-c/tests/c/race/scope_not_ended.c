// The result of a scope's task is read before the scope is ended.
#include <stdio.h>

#include "rosser.h"

static void task(rosser_scope *s, void *arg)
{
    *(int *)arg = 7; //~ race 1
}

static void body(rosser_scope *s, void *arg)
{
    int *x = arg;
    rosser_scope *scope = rosser_begin(s);
    rosser_async(scope, task, x);
    printf("x=%d\n", *x); //~ race 1
    rosser_end(scope);
    printf("x=%d\n", *x);
}

int main(void)
{
    int x = 0;
    rosser_finish(body, &x);
    return x == 7 ? 0 : 1;
}
