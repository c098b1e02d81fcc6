//! The standard library, as far as its parts are known by name: which have checks and which have none. Names are
//! demangled, and stand for all that begins with them.

/// The libraries that are seen; the last ones refer to the first ones.
pub const SEEN: [&str; 4] = ["core", "alloc", "hashbrown", "std"];

/// Parts of the library that are not.
pub const UNSEEN: [&str; 17] = [
    "alloc::alloc::",
    "core::panicking::",
    "std::alloc::",
    "std::backtrace",
    "std::panic::",
    "std::panicking::",
    "std::process::abort",
    "std::rt::",
    "std::sys::alloc::",
    "std::sys::args::",
    "std::sys::backtrace::",
    "std::sys::pal::",
    "std::sys::personality::",
    "std::sys::thread_local::",
    "std::thread::current::",
    "std::thread::id::",
    "std::thread::spawnhook::",
];

/// Crates inside the library that are for backtraces.
pub const FOR_BACKTRACES: [&str; 4] = ["addr2line::", "gimli::", "miniz_oxide::", "backtrace_rs::"];

/// Functions that print what a panic has to say, or look for where it was. What they call is not seen, either.
pub const HIDDEN: [&str; 3] = [
    "std::panicking::default_hook",
    "std::backtrace::Backtrace::create",
    "std::sys::backtrace::lock",
];

/// In the names of functions that write the message of a panic, which whoever catches it owns afterwards.
pub const MESSAGE: &str = "::FormatStringPayload as ";

/// What is printed by parallel tasks comes in any order: that is outside of what a verdict is about. The lock of a
/// stream is seen, but not its buffer.
pub const STREAMS: &str = "std::io::stdio::";
