#include <rosser.h>

void count(int *at);
void count_twice(int *at);

static int totals[2];

static void task(rosser_scope *s, void *arg)
{
    (void)s;
    count(arg);
}

static void both(rosser_scope *s, void *arg)
{
    (void)arg;
    rosser_async(s, task, &totals[0]);
#ifdef RACY
    rosser_async(s, task, &totals[0]);
#else
    rosser_async(s, task, &totals[1]);
#endif
}

int main(void)
{
    rosser_finish(both, 0);
    count_twice(&totals[0]);
    return totals[0] + totals[1] == 4 ? 0 : 1;
}
