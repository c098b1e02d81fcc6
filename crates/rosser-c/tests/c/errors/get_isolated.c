//@ says: isolated section
// A get that has to wait, inside an isolated section.
#include "rosser.h"

static void section(void *promise)
{
    rosser_promise_get(promise); //~ named
}

int main(void)
{
    rosser_promise *promise = rosser_promise_new();
    rosser_isolated(section, promise);
}
