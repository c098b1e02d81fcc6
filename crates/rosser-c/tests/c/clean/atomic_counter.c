// Atomic updates whose old value nobody uses commute.
#include <stdatomic.h>

#include "rosser.h"

static atomic_int count, bits;
static atomic_long total;

static void task(rosser_scope *s, void *arg)
{
    int index = *(int *)arg;
    atomic_fetch_add(&count, 1);
    count++;
    (void)atomic_fetch_or(&bits, 1 << index);
    if (index != 1)
        total += index;
    atomic_fetch_sub_explicit(&total, 1, memory_order_relaxed);
}

static void body(rosser_scope *s, void *arg)
{
    static int index[4] = {0, 1, 2, 3};
    for (int i = 0; i < 4; i++)
        rosser_async(s, task, &index[i]);
}

int main(void)
{
    rosser_finish(body, 0);
    return count == 8 && bits == 15 && total == 1 ? 0 : 1;
}
