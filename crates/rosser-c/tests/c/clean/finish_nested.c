// A finish within a task: what its tasks have written is read after it, and only there.
#include "rosser.h"

struct sums {
    long parts[4], total;
};

struct part {
    int index;
    struct sums *sums;
};

static void add(rosser_scope *s, void *arg)
{
    struct part *part = arg;
    for (int i = 0; i < 1000; i++) {
        part->sums->parts[part->index] += i;
    }
}

static void add_all(rosser_scope *s, void *arg)
{
    for (int i = 0; i < 4; i++) {
        struct part part = {i, arg};
        rosser_async_copy(s, add, &part, sizeof part);
    }
}

static void task(rosser_scope *s, void *arg)
{
    struct sums *sums = arg;
    rosser_finish(add_all, sums);
    for (int i = 0; i < 4; i++) {
        sums->total += sums->parts[i];
    }
}

static void program(rosser_scope *s, void *arg)
{
    struct sums *sums = arg;
    for (int i = 0; i < 8; i++) {
        rosser_async(s, task, &sums[i]);
    }
}

int main(void)
{
    struct sums sums[8] = {0};
    rosser_finish(program, sums);
    for (int i = 0; i < 8; i++) {
        if (sums[i].total != 4 * 499500) {
            return 1;
        }
    }
    return 0;
}
