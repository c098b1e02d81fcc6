//! The crate `rayon_core` as checked programs see it: the API and the documented behaviour of the
//! original, with every task run child-first on the calling thread by Rosser's runtime.
//!
//! The build of a checked program compiles this crate root in place of the original one, with
//! whatever options cargo passes for the original. Hence it uses nothing but `std`, and is valid
//! in the original's edition (2021) as well as in ours.
//!
//! # Ground rules
//!
//! * This crate is compiled without instrumentation, but its generic functions are compiled again
//!   inside the program's instrumented crates. Whatever they touch is seen by the detector.
//! * So the crate's own state (the current pool, a scope's first panic, a pool's handlers) is
//!   touched only by functions that are not generic and marked `#[inline(never)]`.
//! * A child takes its closure and leaves its result by itself, inside its task function. Its
//!   parent reads the result after the join and touches none of the child's memory before. So what
//!   the task function does cannot be in conflict with anything; it is not looked at if the compiler
//!   can be told so (`rosser_unseen`).
//! * A task that is not joined by the call that starts it gets its closure in a block of its own
//!   from the heap: the parent's stack is used again while the task is, logically, still running.
//! * What calls the runtime is `#[inline(always)]`, so that the return address the runtime sees
//!   lies in the program's function that forks, also in builds that are not optimised.
//! * No task function unwinds: panics are caught inside and handed over as values.
//!
//! # What differs from the original
//!
//! No threads are started, unless the program does it in a spawn handler; a pool is a number of
//! threads and some handlers. There is never pending work: what is spawned has ended when the
//! spawning call returns. Thread-local variables and the stack are those of the calling thread.
//!
//! Comment lines that begin with `rosser: upstream tests of` mark where the original's unit tests
//! can be put in, to run them against this crate.

#![cfg_attr(rosser_unseen, feature(core_intrinsics, sanitize), allow(internal_features))]
#![allow(clippy::inline_always, reason = "see the ground rules")]

mod broadcast;
mod builder;
mod configuration;
mod context;
mod error;
mod job;
mod join;
mod registry;
mod runtime;
mod scope;
mod spawn;
mod thread_builder;
mod thread_pool;
mod unwind;
mod worker;

// rosser: upstream tests of test.rs

pub use self::broadcast::{BroadcastContext, broadcast, spawn_broadcast};
pub use self::builder::ThreadPoolBuilder;
#[allow(deprecated)]
pub use self::configuration::{Configuration, initialize};
pub use self::context::FnContext;
pub use self::error::ThreadPoolBuildError;
pub use self::join::{join, join_context};
pub use self::registry::max_num_threads;
pub use self::scope::{Scope, in_place_scope, scope};
pub use self::scope::{ScopeFifo, in_place_scope_fifo, scope_fifo};
pub use self::spawn::{spawn, spawn_fifo};
pub use self::thread_builder::ThreadBuilder;
pub use self::thread_pool::ThreadPool;
pub use self::worker::{
    Yield, current_num_threads, current_thread_has_pending_tasks, current_thread_index,
    yield_local, yield_now,
};
