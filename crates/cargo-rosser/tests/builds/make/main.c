#include <stdio.h>
#include <rosser.h>
#include "sums.h"

static void task(rosser_scope *s, void *arg)
{
    (void)s;
    add(arg);
}

static void both(rosser_scope *s, void *arg)
{
    struct sum *sums = arg;
    rosser_async(s, task, &sums[0]);
    rosser_async(s, task, &sums[1]);
}

int main(void)
{
    long numbers[] = {1, 2, 3, 4, 5, 6};
    long totals[2] = {start, 0};
#ifdef RACY
    long *second = &totals[0];
#else
    long *second = &totals[1];
#endif
    struct sum sums[] = {{numbers, numbers + 3, &totals[0]}, {numbers + 3, numbers + 6, second}};
    rosser_finish(both, sums);
    printf("%ld\n", totals[0] + totals[1]);
    return 0;
}
