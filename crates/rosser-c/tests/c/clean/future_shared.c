// A table that one task makes and many use, each as soon as it is there.
#include <stdlib.h>

#include "rosser.h"

enum { SIZE = 64 };

struct user {
    int index;
    rosser_shared_future *squares;
    int *roots;
};

static void *make(rosser_scope *s, void *arg)
{
    int *squares = malloc(SIZE * sizeof *squares);
    for (int i = 0; i < SIZE; i++) {
        squares[i] = i * i;
    }
    return squares;
}

static void use(rosser_scope *s, void *arg)
{
    struct user *user = arg;
    int *squares = rosser_shared_future_get(user->squares);
    while (squares[user->roots[user->index]] < user->index) {
        user->roots[user->index]++;
    }
}

static void release(rosser_scope *s, void *arg)
{
    free(rosser_shared_future_get(arg));
}

static void program(rosser_scope *s, void *arg)
{
    rosser_shared_future *squares = rosser_future_share(rosser_async_future(s, make, NULL));
    rosser_scope *users = rosser_begin(s);
    for (int i = 0; i < SIZE; i++) {
        struct user user = {i, squares, arg};
        rosser_async_copy(users, use, &user, sizeof user);
    }
    rosser_end(users);
    rosser_async(s, release, squares);
}

int main(void)
{
    int roots[SIZE] = {0};
    rosser_finish(program, roots);
    return roots[36] == 6 && roots[37] == 7 ? 0 : 1;
}
