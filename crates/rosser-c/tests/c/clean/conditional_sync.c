// A loop that waits for what it has started in some iterations: the later tasks read what the earlier
// have written.
#include "rosser.h"

static int a[6];

static void f(rosser_scope *s, void *arg)
{
    int i = *(int *)arg;
    a[i] = i < 4 ? 1 : a[i - 4] + 1;
}

static void program(rosser_scope *s, void *arg)
{
    rosser_scope *scope = rosser_begin(s);
    for (int i = 0; i < 6; i++) {
        rosser_async_copy(scope, f, &i, sizeof i);
        if (i == 3) {
            rosser_end(scope);
            scope = rosser_begin(s);
        }
    }
    rosser_end(scope);
}

int main(void)
{
    rosser_finish(program, NULL);
    return a[3] == 1 && a[4] == 2 && a[5] == 2 ? 0 : 1;
}
