// What has been set in a finish can be got after it, in main; and a variable that is not to be
// monitored.
#include "rosser.h"

static int statistic;

static void task(rosser_scope *s, void *arg)
{
    static int value = 3;
    statistic++;
    rosser_promise_set(arg, &value);
}

static void program(rosser_scope *s, void *arg)
{
    rosser_promise **promises = arg;
    rosser_async(s, task, promises[0]);
    rosser_async(s, task, promises[1]);
}

int main(void)
{
    rosser_promise *promises[2] = {rosser_promise_new(), rosser_promise_new()};
    rosser_unmonitored(&statistic, sizeof statistic);
    rosser_finish(program, promises);
    int *value = rosser_promise_get(promises[0]);
    rosser_promise_free(promises[0]);
    rosser_promise_free(promises[1]);
    return *value == 3 && statistic > 0 ? 0 : 1;
}
