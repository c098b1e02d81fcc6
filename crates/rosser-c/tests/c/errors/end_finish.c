//@ says: what `rosser_begin` has returned can be ended, and nothing else
// A finish is ended by its body.
#include "rosser.h"

static void program(rosser_scope *s, void *arg)
{
    rosser_end(s); //~ named
}

int main(void)
{
    rosser_finish(program, NULL);
}
