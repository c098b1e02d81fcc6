// All operators for numbers, in one loop of tasks. The sum of doubles is exact: in any order, and though
// some contributions are sixteen digits larger than the sum.
#include <math.h>

#include "rosser.h"

enum { TASKS = 200, OPERATORS = ROSSER_XOR + 1 };

static rosser_long_accumulator *longs[OPERATORS];
static rosser_double_accumulator *doubles[3];

static void task(rosser_scope *s, void *arg)
{
    long i = *(long *)arg;
    rosser_accumulate_long(longs[ROSSER_SUM], i);
    rosser_accumulate_long(longs[ROSSER_PRODUCT], i % 2 ? -1 : 1);
    rosser_accumulate_long(longs[ROSSER_MIN], i);
    rosser_accumulate_long(longs[ROSSER_MAX], i);
    rosser_accumulate_long(longs[ROSSER_AND], i | 512);
    rosser_accumulate_long(longs[ROSSER_OR], i);
    rosser_accumulate_long(longs[ROSSER_XOR], i);
    rosser_accumulate_double(doubles[0], i % 2 ? 1e16 : -1e16);
    rosser_accumulate_double(doubles[0], 0.1);
    rosser_accumulate_double(doubles[1], i % 3 ? sqrt((double)i) : NAN);
    rosser_accumulate_double(doubles[2], i % 3 ? sqrt((double)i) : NAN);
}

static void program(rosser_scope *s, void *arg)
{
    for (long i = 0; i < TASKS; i++) {
        rosser_async_copy(s, task, &i, sizeof i);
    }
}

int main(void)
{
    long initial[OPERATORS] = {0, 1, 0, 0, -1, 0, 0}, expected[OPERATORS] = {0, 1, 0, 199, 512, 255, 0};
    for (long i = 0; i < TASKS; i++) {
        expected[ROSSER_SUM] += i;
        expected[ROSSER_XOR] ^= i;
    }
    for (int op = 0; op < OPERATORS; op++) {
        longs[op] = rosser_long_accumulator_new((rosser_operator)op, initial[op]);
    }
    doubles[0] = rosser_double_accumulator_new(ROSSER_SUM, 0);
    doubles[1] = rosser_double_accumulator_new(ROSSER_MIN, INFINITY);
    doubles[2] = rosser_double_accumulator_new(ROSSER_MAX, -INFINITY);
    rosser_finish(program, NULL);
    for (int op = 0; op < OPERATORS; op++) {
        if (rosser_accumulated_long(longs[op]) != expected[op]) {
            return 10 + op;
        }
        rosser_long_accumulator_free(longs[op]);
    }
    double sum = rosser_accumulated_double(doubles[0]);
    double least = rosser_accumulated_double(doubles[1]);
    double greatest = rosser_accumulated_double(doubles[2]);
    for (int i = 0; i < 3; i++) {
        rosser_double_accumulator_free(doubles[i]);
    }
    return sum == 20 && least == 1 && greatest == sqrt(199) ? 0 : 1;
}
