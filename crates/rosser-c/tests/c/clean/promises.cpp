// Promises of values: a wavefront over a vector of them; strings; nothing at all.
#include <memory>
#include <string>
#include <vector>

#include "rosser.hpp"

int main()
{
    constexpr std::size_t side = 10;
    std::vector<rosser::promise<long>> cells(side * side);
    rosser::finish([&](rosser::scope &s) {
        for (std::size_t cell = cells.size(); cell-- > 0;) {
            s.async([&cells, cell] {
                long left = cell % side == 0 ? 1 : cells[cell - 1].get();
                long upper = cell < side ? 1 : cells[cell - side].get();
                cells[cell].set(left + upper);
            });
        }
    });
    if (cells.back().get() != 184756) {
        return 1;
    }

    rosser::promise<std::vector<std::string>> words;
    rosser::promise<std::unique_ptr<int>> number;
    rosser::promise<void> done;
    std::string sentence;
    int twice = 0;
    rosser::finish([&](rosser::scope &s) {
        s.async([&] {
            for (const std::string &word : words.get()) {
                sentence += word;
            }
            done.set();
        });
        s.async([&] { twice = 2 * *number.get(); });
        s.async([&] { words.set({"set ", "once"}); });
        s.async([&] { number.set(std::make_unique<int>(21)); });
        done.get();
        sentence += "!";
    });
    bool again = done.try_set();
    return sentence == "set once!" && twice == 42 && !again ? 0 : 2;
}
