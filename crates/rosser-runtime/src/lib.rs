//! Rosser's runtime: linked, un-instrumented, into the checked program.
//!
//! # Ground rules
//!
//! * Nothing on the access path allocates, locks, panics or runs a destructor. Memory is reserved
//!   address space; what does not fit ends the run with a message. The one exception is another
//!   detector, if one was chosen.
//! * No code here is instrumented, and what the program does in here is not checked.
//! * One thread is checked at a time: the one that started the outermost parallel region. Its
//!   tasks run on it one after the other. All state but the heap's block table is that thread's.
//! * Whatever happens to the program, what was found is in the run file already.
//!
//! ```text
//!  access      callbacks of the sanitizer for plain accesses: fast path, inlined
//!  atomics     the same for atomic operations
//!  memory      the same for ranges, memcpy and friends
//!  tasks       fork and join, called by the replacement of rayon-core
//!  stacks      tasks on stacks of their own, promises: called by the task library
//!  heap        malloc and friends; blocks: who allocated what
//!     │
//!  checked     the thread that is checked: the engine of rosser-shadow, stack, findings
//!     │
//!  shadow      address → cell          findings → runfile     stuck: runs that cannot go on
//!  other       another detector than the engine, if one was chosen; locations: its names of bytes
//!                                      observer: for tests
//!  system      the few system calls, declared by hand
//! ```
//!
//! With `--cfg rosser_inline` the plain accesses' callbacks are for inlining by link-time
//! optimisation; without it they are ordinary functions for quick builds.

#![cfg_attr(rosser_inline, feature(rust_cold_cc))]

mod access;
mod atomics;
mod atomics128;
mod backtrace;
mod blocks;
mod checked;
mod findings;
#[cfg(any(rosser_inline, test))]
mod first_touch;
mod heap;
mod init;
mod libraries;
mod loads;
mod locations;
mod mappings;
mod memory;
mod observer;
mod other;
mod places;
mod promises;
mod ranges;
mod recent;
mod run_file;
mod shadow;
mod sites;
mod stacks;
mod stuck;
mod system;
mod tasks;
mod thread_locals;
mod threads;
mod touched;
mod unmonitored;
mod unseen;
mod watch;
