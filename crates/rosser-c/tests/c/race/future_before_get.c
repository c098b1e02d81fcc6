// A task with a value also writes a variable, which is read before the value is got.
#include <stdio.h>

#include "rosser.h"

static int calls;

static void *length(rosser_scope *s, void *arg)
{
    const char *word = arg;
    static long count;
    calls = 1; //~ race 1
    for (count = 0; word[count]; count++) {
    }
    return &count;
}

static void program(rosser_scope *s, void *arg)
{
    rosser_future *future = rosser_async_future(s, length, "determinacy");
    printf("calls=%d\n", calls); //~ race 1
    long *count = rosser_future_get(future);
    printf("length=%ld calls=%d\n", *count, calls);
}

int main(void)
{
    rosser_finish(program, NULL);
    return calls == 1 ? 0 : 1;
}
