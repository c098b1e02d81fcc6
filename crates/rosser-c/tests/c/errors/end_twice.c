//@ says: rosser_end was given a scope that was made at
// A scope is ended twice.
#include "rosser.h"

static void program(rosser_scope *s, void *arg)
{
    rosser_scope *scope = rosser_begin(s); //~ named
    rosser_end(scope);                     //~ named
    rosser_end(scope);                     //~ named
}

int main(void)
{
    rosser_finish(program, NULL);
}
