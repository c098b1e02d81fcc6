//@ says: rosser_promise_get was given a null pointer for a promise
// No promise at all.
#include "rosser.h"

int main(void)
{
    rosser_promise_get(NULL); //~ named
}
