// Tasks that start tasks of the same finish, and end before these do: the leaves of a tree, each of
// which writes its own cell.
#include <string.h>

#include "rosser.h"

enum { LEAVES = 1024 };

static unsigned char leaves[LEAVES];

struct range {
    int from, to;
};

static void visit(rosser_scope *s, void *arg)
{
    struct range range = *(struct range *)arg;
    if (range.to - range.from == 1) {
        leaves[range.from] = 1;
        return;
    }
    int middle = range.from + (range.to - range.from) / 2;
    struct range left = {range.from, middle}, right = {middle, range.to};
    rosser_async_copy(s, visit, &left, sizeof left);
    rosser_async_copy(s, visit, &right, sizeof right);
}

int main(void)
{
    struct range all = {0, LEAVES};
    rosser_finish(visit, &all);
    return memchr(leaves, 0, LEAVES) == NULL ? 0 : 1;
}
