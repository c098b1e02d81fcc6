// Two lambdas capture the same variable by reference.
#include "rosser.hpp"

int main()
{
    int x = 0;
    rosser::finish([&](auto &s) {
        s.async([&] { x = 1; }); //~ race 1
        s.async([&] { x = 2; }); //~ race 1
    });
    return x == 1 || x == 2 ? 0 : 1;
}
