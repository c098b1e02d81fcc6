//@ says: rosser_promise_get was given a promise that was made at
// A promise is used after it was freed.
#include "rosser.h"

int main(void)
{
    rosser_promise *promise = rosser_promise_new(); //~ named
    rosser_promise_set(promise, NULL);
    rosser_promise_free(promise); //~ named
    rosser_promise_get(promise);  //~ named
}
