//! Names of symbols that the compiler or Rosser adds to programs.

/// What the names of the callbacks begin with: those of the thread sanitizer's interface, and Rosser's own.
pub const CALLBACKS: [&str; 2] = ["__tsan_", "rosser_"];

/// Whether a symbol is a callback: a function by which the program talks to the runtime.
pub fn is_callback(name: &str) -> bool {
    is_callback_symbol(name.as_bytes())
}

/// The same for a name that need not be UTF-8.
pub fn is_callback_symbol(name: &[u8]) -> bool {
    CALLBACKS.iter().any(|prefix| name.starts_with(prefix.as_bytes()))
}

/// The section in which an object file names code without checks that it contains, each name ended by a zero byte.
pub const UNSEEN: &str = ".rosser.unseen";

/// What the names of functions begin with that the compiler adds for Rust itself: allocation, panics.
pub const OF_COMPILER: &str = "__rust";

/// The function that catches panics.
pub const CATCHING: &str = "__rust_try";

/// In the name of the function that runs the tests of a harness.
pub const HARNESS: &str = "4test16test_main_static";

/// The end of the function that every Rust program allocates by. It is the program's own allocator, or calls the
/// default one.
pub const ALLOC: &str = "__rust_alloc";

/// What older compilers call the program's own allocator by.
pub const OWN_ALLOC: &str = "__rg_alloc";

/// The default allocator, which is linked only if it is used.
pub const DEFAULT_ALLOC: &str = "__rdl_alloc";

/// In the names of all functions of the program's allocator.
pub const ALLOCATOR: &str = "7___rustc";

/// In the names of all functions of the default allocator.
pub const DEFAULT_ALLOCATOR: &str = "___rdl_";

/// C functions that the runtime defines, and Rust's names for the allocator behind them.
pub const INTERPOSED: &[&str] = &[
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "free",
    "cfree",
    "aligned_alloc",
    "memalign",
    "posix_memalign",
    "valloc",
    "pvalloc",
    "memcpy",
    "memmove",
    "memset",
    "__rust_alloc",
    "__rust_alloc_zeroed",
    "__rust_dealloc",
    "__rust_realloc",
    "__rdl_alloc",
    "__rdl_alloc_zeroed",
    "__rdl_dealloc",
    "__rdl_realloc",
];

/// Functions of the C library that the runtime defines and that may have some of its code inlined.
pub const ENTRIES: [&str; 8] = [
    "malloc",
    "calloc",
    "posix_memalign",
    "aligned_alloc",
    "memalign",
    "mmap",
    "mmap64",
    "pthread_create",
];
