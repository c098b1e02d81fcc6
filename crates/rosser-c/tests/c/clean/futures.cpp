// Futures of values: moved out of the structured kind, referred to by the shared kind.
#include <memory>
#include <numeric>
#include <vector>

#include "rosser.hpp"

static long fib(long n)
{
    if (n < 2) {
        return n;
    }
    return rosser::finish([n](rosser::scope &s) {
        auto left = s.async_future([n] { return fib(n - 1); });
        long right = fib(n - 2);
        return left.get() + right;
    });
}

int main()
{
    if (fib(12) != 144) {
        return 1;
    }
    std::vector<long> sums(10);
    rosser::finish([&](rosser::scope &s) {
        auto unique = s.async_future([] { return std::make_unique<std::vector<long>>(100, 1); });
        std::unique_ptr<std::vector<long>> ones = unique.get();
        auto table = s.async_future([&ones] {
                          std::partial_sum(ones->begin(), ones->end(), ones->begin());
                          return *ones;
                      }).share();
        auto part = s.begin();
        for (std::size_t i = 0; i < sums.size(); i++) {
            part.async([&sums, i, table] {
                const std::vector<long> &all = table.get();
                sums[i] = all[i * i];
            });
        }
        part.end();
        auto nothing = s.async_future([&](rosser::scope &s) { s.async([&] { sums[0] = -1; }); });
        nothing.get();
    });
    return sums[9] == 82 && sums[0] == -1 ? 0 : 2;
}
