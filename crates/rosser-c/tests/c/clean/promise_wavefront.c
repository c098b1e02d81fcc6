// Each cell of a table is the sum of its left and its upper neighbour, and waits for both. Started from
// the last to the first, so that nearly all tasks have to wait.
#include "rosser.h"

enum { SIDE = 10 };

struct cell {
    long value;
    rosser_promise *done;
};

static struct cell table[SIDE][SIDE];

static long value(int row, int column)
{
    if (row < 0 || column < 0) {
        return 1;
    }
    struct cell *cell = rosser_promise_get(table[row][column].done);
    return cell->value;
}

static void compute(rosser_scope *s, void *arg)
{
    int index = *(int *)arg, row = index / SIDE, column = index % SIDE;
    struct cell *cell = &table[row][column];
    cell->value = value(row - 1, column) + value(row, column - 1);
    rosser_promise_set(cell->done, cell);
}

static void program(rosser_scope *s, void *arg)
{
    for (int index = SIDE * SIDE - 1; index >= 0; index--) {
        rosser_async_copy(s, compute, &index, sizeof index);
    }
}

int main(void)
{
    for (int index = 0; index < SIDE * SIDE; index++) {
        table[index / SIDE][index % SIDE].done = rosser_promise_new();
    }
    rosser_finish(program, NULL);
    long last = value(SIDE - 1, SIDE - 1);
    for (int index = 0; index < SIDE * SIDE; index++) {
        rosser_promise_free(table[index / SIDE][index % SIDE].done);
    }
    return last == 184756 ? 0 : 1;
}
