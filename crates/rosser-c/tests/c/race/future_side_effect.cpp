// The value of a future is waited for, its side effect on a vector is not: another task reads it.
#include <vector>

#include "rosser.hpp"

int main()
{
    std::vector<int> log(1);
    int seen = 0;
    rosser::finish([&](rosser::scope &s) {
        auto answer = s.async_future([&] {
            log[0] = 1; //~ race 1
            return 42;
        });
        s.async([&] {
            seen = log[0]; //~ race 1, race 2
        });
        log[0] += answer.get(); //~ race 2
    });
    return log[0] == 43 ? 0 : 1;
}
