//@ says: is already set: first at
// A promise is set twice, by two tasks.
#include "rosser.hpp"

int main()
{
    rosser::promise<int> promise; //~ named
    rosser::finish([&](rosser::scope &s) {
        s.async([&] {
            promise.set(1); //~ named
        });
        s.async([&] {
            promise.set(2); //~ named
        });
    });
}
