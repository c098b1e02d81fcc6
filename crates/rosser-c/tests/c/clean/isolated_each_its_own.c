// Isolated sections of many tasks, each with its own account: nothing is shared but the lock.
#include "rosser.h"

struct account {
    int from, to;
};

static void transfer(void *arg)
{
    struct account *account = arg;
    account->from--;
    account->to++;
}

static void transfer_twice(void *arg)
{
    rosser_isolated(transfer, arg); // part of the outer section
    transfer(arg);
}

static void task(rosser_scope *s, void *arg)
{
    for (int i = 0; i < 5; i++) {
        rosser_isolated(transfer_twice, arg);
    }
}

static void program(rosser_scope *s, void *arg)
{
    struct account *accounts = arg;
    for (int i = 0; i < 20; i++) {
        rosser_async(s, task, &accounts[i]);
    }
}

int main(void)
{
    struct account accounts[20] = {{0, 0}};
    rosser_finish(program, accounts);
    for (int i = 0; i < 20; i++) {
        if (accounts[i].from != -10 || accounts[i].to != 10) {
            return 1;
        }
    }
    return 0;
}
