// Who uses the old value of an atomic addition can tell who came first, be it kept, compared or returned.
#include <stdatomic.h>

#include "rosser.h"

static atomic_int next, left = 2;
static atomic_long total;
static int got[2], last[2];
static long seen[2];

__attribute__((noinline)) static long add(long amount)
{
    return atomic_fetch_add(&total, amount); //~ order 3
}

static void task(rosser_scope *s, void *arg)
{
    int index = arg == &got[1];
    got[index] = atomic_fetch_add(&next, 1); //~ order 1
    if (atomic_fetch_sub(&left, 1) == 1) //~ order 2
        last[index] = 1;
    seen[index] = add(5);
}

static void body(rosser_scope *s, void *arg)
{
    rosser_async(s, task, &got[0]);
    rosser_async(s, task, &got[1]);
}

int main(void)
{
    rosser_finish(body, 0);
    return got[0] + got[1] == 1 && last[0] + last[1] == 1 && seen[0] + seen[1] == 5 ? 0 : 1;
}
