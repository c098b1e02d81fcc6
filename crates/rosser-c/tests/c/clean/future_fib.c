// Fibonacci with futures, each got once and freed at once.
#include <stdint.h>

#include "rosser.h"

static void *fib(rosser_scope *s, void *arg)
{
    intptr_t n = (intptr_t)arg;
    if (n < 2) {
        return (void *)n;
    }
    rosser_future *left = rosser_async_future(s, fib, (void *)(n - 1));
    intptr_t right = (intptr_t)fib(s, (void *)(n - 2));
    intptr_t sum = (intptr_t)rosser_future_get(left) + right;
    rosser_future_free(left);
    return (void *)sum;
}

static void program(rosser_scope *s, void *arg)
{
    *(intptr_t *)arg = (intptr_t)fib(s, (void *)15);
}

int main(void)
{
    intptr_t result = 0;
    rosser_finish(program, &result);
    return result == 610 ? 0 : 1;
}
