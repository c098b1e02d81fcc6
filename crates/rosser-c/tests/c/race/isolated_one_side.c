// One task counts in an isolated section, the other forgets to: isolation protects only what all sides
// isolate.
#include "rosser.h"

static int count;

static void increment(void *arg)
{
    count++; //~ race 1
}

static void careful(rosser_scope *s, void *arg)
{
    rosser_isolated(increment, NULL);
}

static void careless(rosser_scope *s, void *arg)
{
    count = 5; //~ race 1
}

static void program(rosser_scope *s, void *arg)
{
    rosser_async(s, careful, NULL);
    rosser_async(s, careless, NULL);
}

int main(void)
{
    rosser_finish(program, NULL);
    return 0;
}
