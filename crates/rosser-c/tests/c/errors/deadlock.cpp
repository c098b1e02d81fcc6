//@ says: rosser::no_value
//@ says: deadlock: 1 task is blocked
// A deadlock in C++ is an exception, which nobody catches.
#include "rosser.hpp"

int main()
{
    rosser::promise<int> never; //~ named
    rosser::finish([&](rosser::scope &s) {
        s.async([&] {
            never.get(); //~ named
        });
    });
}
