// A procedure uses what its child computes, without a sync.
#include "rosser.h"

struct fib {
    int n;
    long result;
};

static void fib(rosser_procedure *p, void *arg)
{
    struct fib *self = arg;
    if (self->n < 2) {
        self->result = self->n; //~ race 1
        return;
    }
    struct fib left = {.n = self->n - 1}, right = {.n = self->n - 2};
    rosser_spawn(p, fib, &left);
    rosser_call(fib, &right);
    long sum = left.result + right.result; //~ race 1, race 2
    rosser_sync(p);
    self->result = sum; //~ race 2
}

int main(void)
{
    struct fib first = {.n = 8};
    rosser_call(fib, &first);
    return 0;
}
