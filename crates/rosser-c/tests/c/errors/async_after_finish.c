//@ says: rosser_async was given a scope that was made at
// A task started in a finish that has ended.
#include "rosser.h"

static void program(rosser_scope *s, void *arg)
{
    *(rosser_scope **)arg = s;
}

int main(void)
{
    rosser_scope *s;
    rosser_finish(program, &s);     //~ named
    rosser_async(s, program, NULL); //~ named
}
