// Raman et al. 2012, Figure 3: each task reads what the one before it writes, and only one sync stands
// between the six.
#include "rosser.h"

static int a[6];

static void f(rosser_scope *s, void *arg)
{
    int i = *(int *)arg, before = 0;
    if (i > 0) {
        before = a[i - 1]; //~ race 1
    }
    a[i] = before + 1; //~ race 1
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
    return a[0] == 1 ? 0 : 1;
}
