//@ says: rosser_async inside an isolated section
// A task started inside an isolated section.
#include "rosser.h"

static void task(rosser_scope *s, void *arg)
{
}

static void section(void *s)
{
    rosser_async(s, task, NULL); //~ named
}

static void program(rosser_scope *s, void *arg)
{
    rosser_isolated(section, s);
}

int main(void)
{
    rosser_finish(program, NULL);
}
