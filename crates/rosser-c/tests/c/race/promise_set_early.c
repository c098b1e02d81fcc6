// The promise is set before all that it stands for has been written.
#include <stdio.h>

#include "rosser.h"

struct message {
    int first, second;
    rosser_promise *ready;
};

static void writer(rosser_scope *s, void *arg)
{
    struct message *message = arg;
    message->first = 1;
    rosser_promise_set(message->ready, message);
    message->second = 2; //~ race 1
}

static void reader(rosser_scope *s, void *arg)
{
    rosser_promise *ready = arg;
    struct message *message = rosser_promise_get(ready);
    printf("first=%d\n", message->first);
    printf("second=%d\n", message->second); //~ race 1
}

static void program(rosser_scope *s, void *arg)
{
    struct message *message = arg;
    rosser_async(s, writer, message);
    rosser_async(s, reader, message->ready);
}

int main(void)
{
    struct message message = {.ready = rosser_promise_new()};
    rosser_finish(program, &message);
    rosser_promise_free(message.ready);
    return message.second == 2 ? 0 : 1;
}
