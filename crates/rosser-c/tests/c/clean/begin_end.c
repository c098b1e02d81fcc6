// Scopes that are begun and ended: each stage reads what the stage before has written. A task of a
// scope starts another in the same scope.
#include "rosser.h"

enum { STAGES = 10, CELLS = 8 };

static int cells[STAGES + 1][CELLS];

struct cell {
    int stage, index;
};

static void compute(rosser_scope *s, void *arg)
{
    struct cell cell = *(struct cell *)arg;
    int *before = cells[cell.stage];
    cells[cell.stage + 1][cell.index] = before[cell.index] + before[(cell.index + 1) % CELLS];
    if (++cell.index < CELLS) {
        rosser_async_copy(s, compute, &cell, sizeof cell);
    }
}

static void program(rosser_scope *s, void *arg)
{
    for (int i = 0; i < CELLS; i++) {
        cells[0][i] = 1;
    }
    for (int stage = 0; stage < STAGES; stage++) {
        rosser_scope *scope = rosser_begin(s);
        struct cell first = {stage, 0};
        rosser_async_copy(scope, compute, &first, sizeof first);
        rosser_end(scope);
    }
}

int main(void)
{
    rosser_finish(program, NULL);
    for (int i = 0; i < CELLS; i++) {
        if (cells[STAGES][i] != 1 << STAGES) {
            return 1;
        }
    }
    return 0;
}
