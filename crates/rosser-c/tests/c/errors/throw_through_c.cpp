// An exception leaves a task that was started with a function of C.
#include "rosser.hpp"

static void task(rosser_scope *, void *)
{
    throw 1;
}

int main()
{
    rosser_finish(task, nullptr);
}
