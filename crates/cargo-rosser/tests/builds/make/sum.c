#include "sums.h"

void add(struct sum *sum)
{
    for (const long *at = sum->from; at != sum->to; at++)
        *sum->total += *at; //~ race
}
