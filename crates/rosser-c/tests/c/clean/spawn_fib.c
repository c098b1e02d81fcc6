// Fibonacci as in Cilk: spawn one half, call the other, sync.
#include "rosser.h"

struct fib {
    int n;
    long result;
};

static void fib(rosser_procedure *p, void *arg)
{
    struct fib *self = arg;
    if (self->n < 2) {
        self->result = self->n;
        return;
    }
    struct fib left = {.n = self->n - 1}, right = {.n = self->n - 2};
    rosser_spawn(p, fib, &left);
    rosser_call(fib, &right);
    rosser_sync(p);
    self->result = left.result + right.result;
}

int main(void)
{
    struct fib first = {.n = 18};
    rosser_call(fib, &first);
    return first.result == 2584 ? 0 : 1;
}
