//@ says: rosser_sync inside an isolated section
// A sync inside an isolated section.
#include "rosser.h"

static void section(void *p)
{
    rosser_sync(p); //~ named
}

static void program(rosser_procedure *p, void *arg)
{
    rosser_isolated(section, p);
}

int main(void)
{
    rosser_call(program, NULL);
}
