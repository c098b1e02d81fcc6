
/* What tasks do in plug-ins that are loaded by programs without the runtime: they run one after the other. */

typedef void (*task)(void *);

#define MORE_ACCESSES(size)                                     \
    IDLE void __tsan_read##size(void *a) { (void)a; }           \
    IDLE void __tsan_write##size(void *a) { (void)a; }          \
    IDLE void __tsan_unaligned_read##size(void *a) { (void)a; } \
    IDLE void __tsan_unaligned_write##size(void *a) { (void)a; }

MORE_ACCESSES(3) MORE_ACCESSES(5) MORE_ACCESSES(6) MORE_ACCESSES(7)

#define EXTREME(bits, type, name, replaces)                                           \
    IDLE type __tsan_atomic##bits##_fetch_##name(type *a, type v, int order)          \
    {                                                                                 \
        type old = __atomic_load_n(a, __ATOMIC_SEQ_CST);                              \
        (void)order;                                                                  \
        while (v replaces old                                                         \
               && !__atomic_compare_exchange_n(a, &old, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) \
            ;                                                                         \
        return old;                                                                   \
    }

#define EXTREMES(bits, type)                                                          \
    EXTREME(bits, signed type, max, >) EXTREME(bits, signed type, min, <)             \
    EXTREME(bits, unsigned type, umax, >) EXTREME(bits, unsigned type, umin, <)

EXTREMES(8, char) EXTREMES(16, short) EXTREMES(32, int) EXTREMES(64, long)

IDLE void rosser_read_if(void *a, u64 n, u64 is) { (void)a, (void)n, (void)is; }
IDLE void rosser_write_if(void *a, u64 n, u64 is) { (void)a, (void)n, (void)is; }
IDLE void rosser_atomic_update(void *a, u64 n, int order) { (void)a, (void)n, (void)order; }

IDLE void rosser_allocated(void *block, u64 n) { (void)block, (void)n; }
IDLE void rosser_freed(void *block, u64 n) { (void)block, (void)n; }
IDLE void rosser_reallocates(void *block, u64 n) { (void)block, (void)n; }
IDLE void rosser_unmonitor(void *a, u64 n) { (void)a, (void)n; }
IDLE _Bool rosser_unseen_begin(void) { return 0; }
IDLE void rosser_unseen_end(void) {}
IDLE void rosser_unseen_end_if(_Bool began) { (void)began; }
IDLE void rosser_leaves_out(u32 kind) { (void)kind; }
IDLE void rosser_observe(void *observer) { (void)observer; }

/* For the replacement of rayon-core. */

IDLE void rosser_join(task a, void *with_a, task b, void *with_b) { a(with_a), b(with_b); }
IDLE u64 rosser_scope_begin(void) { return 0; }
IDLE void rosser_scope_end(u64 scope) { (void)scope; }
IDLE void rosser_spawn(u64 kind, u64 scope, task body, void *with) { (void)kind, (void)scope, body(with); }
IDLE u64 rosser_leaf(task body, void *with, u64 first) { body(with); return first; }
IDLE void rosser_next_item(void) {}
IDLE _Bool rosser_has_items(void) { return 0; }
IDLE u64 rosser_worker(void) { return 0; }
IDLE u64 rosser_workers(void) { return 1; }
IDLE _Bool rosser_inline(_Bool on) { return on; }
IDLE void rosser_worker_local(void) {}
IDLE void rosser_blocked(void) { __builtin_trap(); }

/* For the task library. */

IDLE void rosser_task_start(void *from, void *to, u64 scope, u64 pc) { (void)from, (void)to, (void)scope, (void)pc; }
IDLE void rosser_task_ended(void *to, void *from) { (void)to, (void)from; }
IDLE void rosser_task_waits(void *to, void *from) { (void)to, (void)from; }
IDLE void rosser_task_resume(void *from, void *to) { (void)from, (void)to; }
IDLE void rosser_promise(u64 pc) { (void)pc; }
IDLE void rosser_promise_set(void *point, u64 pc) { (void)point, (void)pc; }
IDLE void rosser_promise_get(void *point, u64 pc) { (void)point, (void)pc; }
IDLE void rosser_promise_set_again(void *point, u64 a, u64 pc) { (void)point, (void)a, (void)pc; }
IDLE void rosser_isolated_begin(u64 pc) { (void)pc; }
IDLE void rosser_isolated_end(u64 pc) { (void)pc; }
IDLE void rosser_library_spawn(u64 scope, task body, void *with, u64 pc) { (void)scope, (void)pc, body(with); }
IDLE void *rosser_future_spawn(u64 scope, task body, void *with, u64 pc)
{
    static char done;
    (void)scope, (void)pc, body(with);
    return &done;
}
IDLE _Bool rosser_future_is_done(void *future) { (void)future; return 1; }
IDLE void rosser_future_get(void *future, u64 pc) { (void)future, (void)pc; }
IDLE void rosser_future_drop(void *future) { (void)future; }
