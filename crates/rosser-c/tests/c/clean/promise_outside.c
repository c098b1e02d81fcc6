//@ threads-note
// A thread that is no task sets the promise that a task waits for.
#include <pthread.h>

#include "rosser.h"

static int value = 42;

static void *outside(void *promise)
{
    rosser_promise_set(promise, &value);
    return NULL;
}

static void task(rosser_scope *s, void *promise)
{
    value += *(int *)rosser_promise_get(promise);
}

static void program(rosser_scope *s, void *promise)
{
    rosser_async(s, task, promise);
}

int main(void)
{
    rosser_promise *promise = rosser_promise_outside();
    pthread_t thread;
    if (pthread_create(&thread, NULL, outside, promise)) {
        return 2;
    }
    rosser_finish(program, promise);
    pthread_join(thread, NULL);
    rosser_promise_free(promise);
    return value == 84 ? 0 : 1;
}
