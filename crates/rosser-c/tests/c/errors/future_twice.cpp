//@ says: rosser_future_wait was given a null pointer for a future
// A future is got twice.
#include "rosser.hpp"

int main()
{
    rosser::finish([](rosser::scope &s) {
        auto future = s.async_future([] { return 1; });
        future.get();
        future.get(); //~ named
    });
}
