// Tasks that are given a pointer to the variable of the loop that starts them.
#include "rosser.h"

static void task(rosser_scope *s, void *arg)
{
    volatile int seen = *(int *)arg; //~ race 1
    (void)seen;
}

static void body(rosser_scope *s, void *arg)
{
    int *i = arg;
    *i = 0;
    while (*i < 4) {
        rosser_async(s, task, i);
        ++*i; //~ race 1
    }
}

int main(void)
{
    int i;
    rosser_finish(body, &i);
    return i == 4 ? 0 : 1;
}
