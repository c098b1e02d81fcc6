// A procedure syncs when it returns, whether or not it says so.
#include "rosser.h"

static int cells[16];

static void child(rosser_procedure *p, void *arg)
{
    *(int *)arg = 1;
}

static void parent(rosser_procedure *p, void *arg)
{
    int *part = arg;
    for (int i = 0; i < 4; i++) {
        rosser_spawn(p, child, &part[i]);
    }
}

static void program(rosser_procedure *p, void *arg)
{
    for (int i = 0; i < 4; i++) {
        rosser_spawn(p, parent, &cells[4 * i]);
    }
    rosser_sync(p);
    for (int i = 0; i < 16; i++) {
        cells[i]++;
    }
}

int main(void)
{
    rosser_call(program, NULL);
    for (int i = 0; i < 16; i++) {
        if (cells[i] != 2) {
            return 1;
        }
    }
    return 0;
}
