//! The crate `rayon_core` as checked programs see it: the API and the documented behaviour of the
//! original, with every task run by Rosser's runtime. On one worker, that is child-first on the
//! calling thread; on several (`rosser_workers`), tasks run at the same time, on its threads.
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
//!   touched only by functions that are not generic and marked `#[inline(never)]`. What is not
//!   state of a thread may be touched by several at once: it is atomic, or behind a lock.
//! * State of a thread (`worker`, `context`) is that of the task which the thread runs. A task that
//!   may begin on another thread takes it along (`origin`, `backend`), and every task leaves the thread as it
//!   found it.
//! * A child takes its closure and leaves its result by itself, inside its task function. Its
//!   parent reads the result after the join and touches none of the child's memory before: the fork
//!   hands it over to the child's thread, and the join hands it back. So what the task function
//!   does cannot be in conflict with anything; it is not looked at if the compiler can be told so
//!   (`rosser_unseen`).
//! * A task that is not joined by the call that starts it gets its closure in a block of its own
//!   from the heap: the parent's stack is used again while the task is, logically or in fact, still
//!   running. If nothing joins it at all, it keeps its pool as well.
//! * What calls the runtime is `#[inline(always)]`, so that the return address the runtime sees
//!   lies in the program's function that forks, also in builds that are not optimised.
//! * No task function unwinds: panics are caught inside and handed over as values.
//!
//! # Items
//!
//! Rayon itself is compiled from a copy of its sources in which a leaf of a parallel iterator tells where one item ends
//! and the next begins, by what is in `items`. Then iterators are split into a few leaves, and not into single items.
//!
//! # What differs from the original
//!
//! No threads are started, unless the program does it in a spawn handler; a pool is a number of
//! threads and some handlers. Calls into a pool (`install`) are made by the calling thread. Nothing
//! says that there is pending work, and to yield does none.
//!
//! On one worker what is spawned has ended when the spawning call returns. Thread-local variables
//! and the stack are those of the calling thread, in all tasks.
//!
//! On several workers all pools share these, and threads that wait run tasks of any pool.
//! Thread-local variables and the stack are those of the worker. A pool with fewer threads than
//! there are workers runs its tasks as on one worker, each on the thread that forks it; so does
//! each call of a broadcast. A pool whose number of threads nobody gives has one for every worker
//! at least.
//!
//! Comment lines that begin with `rosser: upstream tests of` mark where the original's unit tests
//! can be put in, to run them against this crate.

#![cfg_attr(rosser_unseen, feature(core_intrinsics, sanitize), allow(internal_features))]
#![cfg_attr(rosser_staged, feature(core_intrinsics), allow(internal_features))]
#![allow(clippy::inline_always, reason = "see the ground rules")]

mod backend;
mod broadcast;
mod builder;
mod configuration;
mod context;
mod error;
pub mod items;
mod job;
mod join;
mod origin;
mod registry;
#[allow(dead_code, reason = "some of it is for the task library")]
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
