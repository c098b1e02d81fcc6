// Isolated sections that do not commute: they do not overlap, but the last one decides.
#include "rosser.h"

static int last;

static void note(void *arg)
{
    last = *(int *)arg; //~ order 1
}

static void task(rosser_scope *s, void *arg)
{
    rosser_isolated(note, arg);
}

static void program(rosser_scope *s, void *arg)
{
    for (int i = 1; i <= 2; i++) {
        rosser_async_copy(s, task, &i, sizeof i);
    }
}

int main(void)
{
    rosser_finish(program, NULL);
    return last == 1 || last == 2 ? 0 : 1;
}
