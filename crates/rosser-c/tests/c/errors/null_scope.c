//@ says: rosser_async was given a null pointer for a scope
// No scope at all.
#include "rosser.h"

static void task(rosser_scope *s, void *arg)
{
}

int main(void)
{
    rosser_async(NULL, task, NULL); //~ named
}
