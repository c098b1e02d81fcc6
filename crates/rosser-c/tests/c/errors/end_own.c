//@ says: what `rosser_begin` has returned can be ended, and nothing else
// A task of a scope ends it, and would wait for itself.
#include "rosser.h"

static void task(rosser_scope *s, void *arg)
{
    rosser_end(s); //~ named
}

static void program(rosser_scope *s, void *arg)
{
    rosser_scope *scope = rosser_begin(s);
    rosser_async(scope, task, NULL);
    rosser_end(scope);
}

int main(void)
{
    rosser_finish(program, NULL);
}
