// Accumulators with the operators of the library, and with one of the program, of sets.
#include <limits>
#include <set>
#include <string>

#include "rosser.hpp"

struct unite {
    void operator()(std::set<int> &total, std::set<int> &&value) const { total.merge(value); }
};

int main()
{
    rosser::accumulator<int> total(0);
    rosser::accumulator<unsigned char, rosser::product> product(1);
    rosser::accumulator<short, rosser::min> least(std::numeric_limits<short>::max());
    rosser::accumulator<std::string, rosser::max> last("");
    rosser::accumulator<unsigned, rosser::bit_or> bits(0);
    rosser::accumulator<bool, rosser::bit_xor> parity(false);
    rosser::accumulator<bool, rosser::bit_and> all(true);
    rosser::accumulator<double, rosser::sum> exact(0);
    rosser::accumulator<double, rosser::max> greatest(-1);
    rosser::accumulator<std::set<int>, unite> seen({-1});
    rosser::finish([&](rosser::scope &s) {
        for (int i = 0; i < 100; i++) {
            s.async([&, i] {
                total.accumulate(i);
                product.accumulate(3);
                least.accumulate(static_cast<short>(i - 50));
                last.accumulate(std::to_string(i));
                bits.accumulate(1U << i % 5);
                parity.accumulate(i % 3 == 0);
                all.accumulate(i < 100);
                exact.accumulate(0.1);
                greatest.accumulate(i / 2.0);
                seen.accumulate({i % 7});
            });
        }
    });
    unsigned char power = 1;
    for (int i = 0; i < 100; i++) {
        power = static_cast<unsigned char>(power * 3);
    }
    bool good = total.get() == 4950 && product.get() == power && least.get() == -50
                && last.get() == "99" && bits.get() == 31 && !parity.get() && all.get()
                && exact.get() == 10.0 && greatest.get() == 49.5 && seen.get().size() == 8;
    return good ? 0 : 1;
}
