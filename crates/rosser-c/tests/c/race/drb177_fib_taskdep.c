// DataRaceBench DRB177, fib-taskdep: as DRB176, but the task that adds declares only j as input. Its
// read of i races with the task that computes i, at every level of the recursion.
#include <stdio.h>

#include "rosser.h"

struct call {
    int n, i, j, s;
    rosser_promise *out_i, *out_j;
};

static int fib(int n);

static void compute_i(rosser_scope *s, void *arg) // depend(out: i)
{
    struct call *call = arg;
    call->i = fib(call->n - 1); //~ race 1
    rosser_promise_set(call->out_i, NULL);
}

static void compute_j(rosser_scope *s, void *arg) // depend(out: j)
{
    struct call *call = arg;
    call->j = fib(call->n - 2);
    rosser_promise_set(call->out_j, NULL);
}

static void add(rosser_scope *s, void *arg) // depend(in: j)
{
    struct call *call = arg;
    rosser_promise_get(call->out_j);
    call->s = call->i + call->j; //~ race 1
}

static void tasks(rosser_scope *s, void *arg)
{
    rosser_async(s, compute_i, arg);
    rosser_async(s, compute_j, arg);
    rosser_async(s, add, arg);
}

static int fib(int n)
{
    if (n < 2) {
        return n;
    }
    struct call call = {.n = n, .out_i = rosser_promise_new(), .out_j = rosser_promise_new()};
    rosser_finish(tasks, &call); // taskwait
    rosser_promise_free(call.out_i);
    rosser_promise_free(call.out_j);
    return call.i + call.j;
}

int main(void)
{
    int result = fib(10);
    printf("fib(10) = %d\n", result);
    return result == 55 ? 0 : 1;
}
