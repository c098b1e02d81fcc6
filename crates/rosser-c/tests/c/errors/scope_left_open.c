//@ says: was not ended inside its finish
// A scope that nobody ends.
#include "rosser.h"

static void program(rosser_scope *s, void *arg)
{
    rosser_begin(s); //~ named
}

int main(void)
{
    rosser_finish(program, NULL); //~ named
}
