//@ says: is already set: first at
// A promise is set twice.
#include "rosser.h"

int main(void)
{
    rosser_promise *promise = rosser_promise_new(); //~ named
    rosser_promise_set(promise, NULL);              //~ named
    rosser_promise_set(promise, NULL);              //~ named
}
