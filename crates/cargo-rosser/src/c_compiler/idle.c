/* What the callbacks of the sanitizer do in programs that are not checked: nothing, or what the program wants.
 *
 * Build scripts link and run such programs: tests of what the system can do, tools that write sources. Hidden,
 * so that no library hands them on to a checked program; weak, so that any other definition comes first. Plug-ins
 * have them, too, and not hidden: those of the checked program that loads one come first. */

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned __int128 u128;

#ifndef IDLE
#define IDLE __attribute__((weak, visibility("hidden")))
#endif

void *memcpy(void *, const void *, __SIZE_TYPE__);
void *memmove(void *, const void *, __SIZE_TYPE__);
void *memset(void *, int, __SIZE_TYPE__);

#define ACCESSES(size)                                    \
    IDLE void __tsan_read##size(void *a) { (void)a; }     \
    IDLE void __tsan_write##size(void *a) { (void)a; }    \
    IDLE void __tsan_read_write##size(void *a) { (void)a; } \
    IDLE void __tsan_volatile_read##size(void *a) { (void)a; } \
    IDLE void __tsan_volatile_write##size(void *a) { (void)a; }

#define UNALIGNED(size)                                         \
    IDLE void __tsan_unaligned_read##size(void *a) { (void)a; } \
    IDLE void __tsan_unaligned_write##size(void *a) { (void)a; } \
    IDLE void __tsan_unaligned_read_write##size(void *a) { (void)a; } \
    IDLE void __tsan_unaligned_volatile_read##size(void *a) { (void)a; } \
    IDLE void __tsan_unaligned_volatile_write##size(void *a) { (void)a; }

ACCESSES(1) ACCESSES(2) ACCESSES(4) ACCESSES(8) ACCESSES(16)
UNALIGNED(2) UNALIGNED(4) UNALIGNED(8) UNALIGNED(16)

IDLE void __tsan_init(void) {}
IDLE void __tsan_func_entry(void *caller) { (void)caller; }
IDLE void __tsan_func_exit(void) {}
IDLE void __tsan_ignore_thread_begin(void) {}
IDLE void __tsan_ignore_thread_end(void) {}
IDLE void __tsan_read_range(void *a, unsigned long n) { (void)a, (void)n; }
IDLE void __tsan_write_range(void *a, unsigned long n) { (void)a, (void)n; }
IDLE void __tsan_vptr_read(void **place) { (void)place; }
IDLE void __tsan_vptr_update(void **place, void *value) { (void)place, (void)value; }

IDLE void *__tsan_memcpy(void *to, const void *from, __SIZE_TYPE__ n) { return memcpy(to, from, n); }
IDLE void *__tsan_memmove(void *to, const void *from, __SIZE_TYPE__ n) { return memmove(to, from, n); }
IDLE void *__tsan_memset(void *to, int value, __SIZE_TYPE__ n) { return memset(to, value, n); }

IDLE void __tsan_atomic_thread_fence(int order) { (void)order, __atomic_thread_fence(__ATOMIC_SEQ_CST); }
IDLE void __tsan_atomic_signal_fence(int order) { (void)order, __atomic_signal_fence(__ATOMIC_SEQ_CST); }

#define FETCH(bits, name)                                                            \
    IDLE u##bits __tsan_atomic##bits##_fetch_##name(u##bits *a, u##bits v, int order) \
    {                                                                                \
        (void)order;                                                                 \
        return __atomic_fetch_##name(a, v, __ATOMIC_SEQ_CST);                        \
    }

#define EXCHANGE(bits, strength)                                                 \
    IDLE int __tsan_atomic##bits##_compare_exchange_##strength(                  \
        u##bits *a, u##bits *c, u##bits v, int order, int failure)               \
    {                                                                            \
        (void)order, (void)failure;                                              \
        return __atomic_compare_exchange_n(a, c, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    }

#define ATOMICS(bits)                                                            \
    IDLE u##bits __tsan_atomic##bits##_load(const u##bits *a, int order)         \
    {                                                                            \
        (void)order;                                                             \
        return __atomic_load_n(a, __ATOMIC_SEQ_CST);                             \
    }                                                                            \
    IDLE void __tsan_atomic##bits##_store(u##bits *a, u##bits v, int order)      \
    {                                                                            \
        (void)order;                                                             \
        __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                \
    }                                                                            \
    IDLE u##bits __tsan_atomic##bits##_exchange(u##bits *a, u##bits v, int order) \
    {                                                                            \
        (void)order;                                                             \
        return __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST);                      \
    }                                                                            \
    FETCH(bits, add) FETCH(bits, sub) FETCH(bits, and)                           \
    FETCH(bits, or) FETCH(bits, xor) FETCH(bits, nand)                           \
    EXCHANGE(bits, strong) EXCHANGE(bits, weak)                                  \
    IDLE u##bits __tsan_atomic##bits##_compare_exchange_val(                     \
        u##bits *a, u##bits c, u##bits v, int order, int failure)                \
    {                                                                            \
        (void)order, (void)failure;                                              \
        __atomic_compare_exchange_n(a, &c, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        return c;                                                                \
    }

ATOMICS(8) ATOMICS(16) ATOMICS(32) ATOMICS(64)

/* Of 16 bytes compilers have one instruction, and without it would call a library. */
#define WIDE IDLE __attribute__((target("cx16")))

WIDE u128 __tsan_atomic128_compare_exchange_val(u128 *a, u128 c, u128 v, int order, int failure)
{
    (void)order, (void)failure;
    return __sync_val_compare_and_swap(a, c, v);
}

#define WIDE_EXCHANGE(strength)                                                        \
    WIDE int __tsan_atomic128_compare_exchange_##strength(                             \
        u128 *a, u128 *c, u128 v, int order, int failure)                              \
    {                                                                                  \
        u128 expected = *c, found = __sync_val_compare_and_swap(a, expected, v);       \
        (void)order, (void)failure;                                                    \
        *c = found;                                                                    \
        return found == expected;                                                      \
    }

#define WIDE_UPDATE(name, value)                                                       \
    WIDE u128 __tsan_atomic128_##name(u128 *a, u128 v, int order)                      \
    {                                                                                  \
        u128 old = *a, found;                                                          \
        (void)order;                                                                   \
        while ((found = __sync_val_compare_and_swap(a, old, (value))) != old)          \
            old = found;                                                               \
        return old;                                                                    \
    }

WIDE_EXCHANGE(strong) WIDE_EXCHANGE(weak)
WIDE_UPDATE(exchange, v) WIDE_UPDATE(fetch_add, old + v) WIDE_UPDATE(fetch_sub, old - v)
WIDE_UPDATE(fetch_and, old & v) WIDE_UPDATE(fetch_or, old | v) WIDE_UPDATE(fetch_xor, old ^ v)
WIDE_UPDATE(fetch_nand, ~(old & v))

WIDE u128 __tsan_atomic128_load(u128 *a, int order)
{
    return __tsan_atomic128_compare_exchange_val(a, 0, 0, order, order);
}

WIDE void __tsan_atomic128_store(u128 *a, u128 v, int order)
{
    (void)__tsan_atomic128_exchange(a, v, order);
}
