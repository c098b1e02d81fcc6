#include <rosser.h>

#ifndef HAVE_PTHREAD_CREATE
#error "configure found no threads"
#endif

static int totals[2];

static void count(rosser_scope *s, void *arg)
{
    (void)s;
    ++*(int *)arg; //~ race
}

static void both(rosser_scope *s, void *arg)
{
    (void)arg;
    rosser_async(s, count, &totals[0]);
#ifdef RACY
    rosser_async(s, count, &totals[0]);
#else
    rosser_async(s, count, &totals[1]);
#endif
}

int main(void)
{
    rosser_finish(both, 0);
    return totals[0] + totals[1] == 2 ? 0 : 1;
}
