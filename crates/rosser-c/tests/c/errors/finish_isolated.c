//@ says: rosser_finish inside an isolated section
// A finish inside an isolated section.
#include "rosser.h"

static void program(rosser_scope *s, void *arg)
{
}

static void section(void *arg)
{
    rosser_finish(program, NULL); //~ named
}

int main(void)
{
    rosser_isolated(section, NULL);
}
