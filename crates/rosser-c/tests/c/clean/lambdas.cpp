// Finish, async, scopes and procedures with lambdas, and what they return.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rosser.hpp"

static std::uint64_t fib(rosser::procedure &p, unsigned n)
{
    if (n < 2) {
        return n;
    }
    std::uint64_t left;
    p.spawn([&left, n](rosser::procedure &p) { left = fib(p, n - 1); });
    std::uint64_t right = rosser::call([n](rosser::procedure &p) { return fib(p, n - 2); });
    p.sync();
    return left + right;
}

static void visit(rosser::scope &s, std::vector<char> &leaves, std::size_t from, std::size_t to)
{
    if (to - from == 1) {
        leaves[from] = 'x';
        return;
    }
    std::size_t middle = from + (to - from) / 2;
    s.async([&leaves, from, middle](rosser::scope &s) { visit(s, leaves, from, middle); });
    s.async([&leaves, middle, to](rosser::scope &s) { visit(s, leaves, middle, to); });
}

int main()
{
    std::vector<char> leaves(100, ' ');
    std::string word = rosser::finish([&](auto &s) {
        visit(s, leaves, 0, leaves.size());
        return std::string("result");
    });
    if (word != "result" || leaves != std::vector<char>(100, 'x')) {
        return 1;
    }
    if (rosser::call([](rosser::procedure &p) { return fib(p, 15); }) != 610) {
        return 2;
    }
    int stage = 0;
    rosser::finish([&](rosser::scope &s) {
        {
            auto part = s.begin();
            part.async([&](rosser::scope &s) {
                s.async([&] { stage = 1; }); // the same scope
            });
            part.end();
        }
        stage *= 10;
        {
            auto part = s.begin();
            part.async([&stage, unique = std::make_unique<int>(7)] { stage += *unique; });
        } // ended here
        stage *= 10;
    });
    return stage == 170 ? 0 : 3;
}
