// A procedure uses what its child computes, without a sync.
#include "rosser.h"

struct fib {
    int n;
    long result;
};

static void fib(rosser_procedure *p, void *arg)
{
    struct fib *self = arg;
    long result = self->n;
    if (self->n >= 2) {
        struct fib left = {.n = self->n - 1}, right = {.n = self->n - 2};
        rosser_spawn(p, fib, &left);
        rosser_call(fib, &right);
        result = left.result + right.result; //~ race 1
        rosser_sync(p);
    }
    self->result = result; //~ race 1
}

int main(void)
{
    struct fib first = {.n = 8};
    rosser_call(fib, &first);
    return 0;
}
