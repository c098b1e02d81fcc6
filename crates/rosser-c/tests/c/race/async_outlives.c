// A task outlives the one that started it: whoever waits for the parent by a promise has not waited for
// the child.
#include "rosser.h"

static int x;
static rosser_promise *parent_done;

static void child(rosser_scope *s, void *arg)
{
    x = 1; //~ race 1
}

static void parent(rosser_scope *s, void *arg)
{
    rosser_async(s, child, NULL);
    rosser_promise_set(parent_done, NULL);
}

static void other(rosser_scope *s, void *arg)
{
    rosser_promise_get(parent_done);
    x = 2; //~ race 1
}

static void program(rosser_scope *s, void *arg)
{
    rosser_async(s, parent, NULL);
    rosser_async(s, other, NULL);
}

int main(void)
{
    parent_done = rosser_promise_new();
    rosser_finish(program, NULL);
    rosser_promise_free(parent_done);
    return x == 1 || x == 2 ? 0 : 1;
}
