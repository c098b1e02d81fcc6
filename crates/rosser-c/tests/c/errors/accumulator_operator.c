//@ says: there is no operator 1 for a double accumulator
// A product of doubles would depend on the schedule.
#include "rosser.h"

int main(void)
{
    rosser_double_accumulator_new(ROSSER_PRODUCT, 1); //~ named
}
