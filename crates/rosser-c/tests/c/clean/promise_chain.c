// A baton that goes through many tasks, and everybody who waits for one promise.
#include "rosser.h"

enum { TASKS = 500 };

static rosser_promise *batons[TASKS + 1], *start;
static int seen[TASKS];

static void pass_on(rosser_scope *s, void *arg)
{
    int i = *(int *)arg;
    int *laps = rosser_promise_get(batons[i + 1]);
    ++*laps;
    rosser_promise_set(batons[i], laps);
}

static void watch(rosser_scope *s, void *arg)
{
    int i = *(int *)arg;
    seen[i] = *(int *)rosser_promise_get(start);
}

static void program(rosser_scope *s, void *arg)
{
    static int number = 7;
    for (int i = 0; i < TASKS; i++) {
        rosser_async_copy(s, pass_on, &i, sizeof i);
        rosser_async_copy(s, watch, &i, sizeof i);
    }
    rosser_promise_set(start, &number);
    rosser_promise_set(batons[TASKS], arg);
}

int main(void)
{
    int laps = 0, wrong = 0;
    start = rosser_promise_new();
    for (int i = 0; i <= TASKS; i++) {
        batons[i] = rosser_promise_new();
    }
    rosser_finish(program, &laps);
    for (int i = 0; i < TASKS; i++) {
        wrong += seen[i] != 7;
    }
    for (int i = 0; i <= TASKS; i++) {
        rosser_promise_free(batons[i]);
    }
    rosser_promise_free(start);
    return laps == TASKS && !wrong ? 0 : 1;
}
