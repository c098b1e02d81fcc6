//@ says: rosser_finish was given a null pointer for a function
// Nothing to do.
#include "rosser.h"

int main(void)
{
    rosser_finish(NULL, NULL); //~ named
}
