// Each task writes its own element of a vector, and reads its neighbour's.
#include <vector>

#include "rosser.hpp"

int main()
{
    std::vector<int> cells(9, 1);
    rosser::finish([&](rosser::scope &s) {
        for (std::size_t i = 0; i + 1 < cells.size(); i++) {
            s.async([&cells, i] {
                int next = cells[i + 1]; //~ race 1
                cells[i] += next;        //~ race 1
            });
        }
    });
    return cells[8] == 1 ? 0 : 1;
}
