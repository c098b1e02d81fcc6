//! Rosser's runtime: linked, un-instrumented, into the checked program.
//!
//! # Ground rules
//!
//! * Nothing on the access path allocates, locks, panics or runs a destructor. Memory is reserved
//!   address space; what does not fit ends the run with a message. The one exception is another
//!   detector, if one was chosen.
//! * No code here is instrumented, and what the program does in here is not checked.
//! * Whatever happens to the program, what was found is in the run file already.
//!
//! ```text
//!  access      callbacks of the sanitizer for plain accesses: fast path, inlined
//!  atomics     the same for atomic operations
//!  lanes       the same for parts of vectors
//!  memory      the same for ranges, memcpy and friends
//!  heap        malloc and friends; allocators: others; blocks: who allocated what
//!  libc        functions of the C library that access memory; own: which code is the runtime's
//!     │
//!  backend     what follows tasks and judges accesses: on one worker, `serial`, or on several, `workers`
//!     │
//!  shadow      address → cell          findings → run_file    stuck: runs that cannot go on
//!                                      made_file: how that comes about
//!  sites       where in the program, as a small number        observer: for tests
//!  objects     the same for plug-ins and shared libraries
//!  system      the few system calls, declared by hand
//! ```
//!
//! `--cfg rosser_workers` chooses the backend for several workers. Only `backend` asks; all else serves both.
//! With `--cfg rosser_inline` there are callbacks for plain accesses that the instrumentation stage inlines,
//! beside the ordinary functions.

#![cfg_attr(rosser_inline, feature(rust_cold_cc, thread_local))]
#![cfg_attr(rosser_weak, feature(linkage))]

mod access;
mod allocators;
mod atomic_extremes;
mod atomics;
mod atomics128;
mod backend;
mod backtrace;
mod blocks;
mod chosen;
mod entry;
mod findings;
mod forks;
mod heap;
mod init;
mod lanes;
mod latest;
mod layout;
mod left_out;
mod libc;
mod libraries;
mod made_file;
mod mappings;
mod memory;
mod objects;
mod observer;
mod old_value;
mod own;
mod recent;
mod run_file;
mod shadow;
mod sites;
mod stack;
mod stuck;
mod system;
mod thread_locals;
mod threads;
mod unmonitored;
mod unseen;
mod words;

/// Whether the program's standard library is instrumented: then nothing that orders tasks is done behind the
/// runtime's back, and nobody need look for it.
const IS_STD_SEEN: bool = cfg!(rosser_std_seen);

use backend::{checked, loops, tasks};
