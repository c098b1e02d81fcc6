// The sum is accumulated; the maximum, beside it, is simply assigned.
#include "rosser.h"

static long largest;
static rosser_long_accumulator *sum;

static void task(rosser_scope *s, void *arg)
{
    long value = *(long *)arg;
    rosser_accumulate_long(sum, value);
    if (largest < value) { //~ race 1
        largest = value;   //~ race 1, race 2
    }
}

static void program(rosser_scope *s, void *arg)
{
    for (long i = 1; i <= 2; i++) {
        rosser_async_copy(s, task, &i, sizeof i);
    }
}

int main(void)
{
    sum = rosser_long_accumulator_new(ROSSER_SUM, 0);
    rosser_finish(program, NULL);
    long total = rosser_accumulated_long(sum);
    rosser_long_accumulator_free(sum);
    return total == 3 ? 0 : 1;
}
