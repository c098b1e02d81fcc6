
/* What inlined checks look at if there is no runtime: a variable of the thread says that nothing is checked, and
 * leads every check to one cell, which says that all is well. The numbers are those of the runtime's `layout` and
 * `shadow`, and of the cells that are not monitored. */

#define CELL ((u64 *)0x100000000000)

#ifdef WORKERS
static const u64 unmonitored[2] = { 0x0004ffff00000000, 0 };
#else
static const u64 unmonitored[2] = { 0xffffffffffffffff, 0x0000ffff00000000 };
#endif

void *mmap(void *, __SIZE_TYPE__, int, int, int, long);

/* Before all other code of the library. If there is a runtime, the page is taken. */
__attribute__((constructor(101))) static void map_cell(void)
{
    enum { read_write = 3, private = 2, anonymous = 0x20, not_if_taken = 0x100000, page = 4096 };
    if (mmap(CELL, page, read_write, private | anonymous | not_if_taken, -1, 0) == CELL) {
        CELL[0] = unmonitored[0];
        CELL[1] = unmonitored[1];
    }
}

struct hot {
    u64 mask;
    u32 base, len;
};

#define FUNCTION(number, name)                \
    IDLE void function_##number(void) __asm__(name); \
    IDLE void function_##number(void) {}

#define VARIABLE(number, name)                               \
    extern IDLE _Thread_local struct hot variable_##number __asm__(name); \
    IDLE _Thread_local struct hot variable_##number = { 0, 0, 0xffffffff };

