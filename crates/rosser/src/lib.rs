//! Tasks for parallel programs that are meant to be deterministic.
//!
//! Tasks are started and joined in the ways of the literature: async and finish, spawn and sync,
//! futures, promises. They run on rayon's thread pool, beside rayon's own operations, at about
//! rayon's cost. A task that has to wait is suspended and frees its worker, so a million of them may
//! wait at the same time; and if nobody is left who could set what they wait for, they are told so,
//! and do not hang.
//!
//! ```
//! use rosser::{Promise, finish};
//!
//! // Each cell of a table is the sum of its left and its upper neighbour.
//! let side = 10;
//! let cells: Vec<Promise<u64>> = (0..side * side).map(|_| Promise::new()).collect();
//! finish(|s| {
//!     for cell in 0..side * side {
//!         let cells = &cells;
//!         s.spawn(move |_| {
//!             let left = if cell % side == 0 { 1 } else { *cells[cell - 1].get() };
//!             let upper = if cell < side { 1 } else { *cells[cell - side].get() };
//!             cells[cell].set(left + upper);
//!         });
//!     }
//! });
//! assert_eq!(*cells[side * side - 1].get(), 184_756);
//! ```
//!
//! | to | use |
//! |---|---|
//! | start tasks and wait for all of them | [`finish()`], [`Finish::spawn`] |
//! | wait earlier, if need be | [`Finish::begin`], [`Scope::end`] |
//! | spawn and sync as in Cilk | [`procedure()`], [`Procedure::spawn`], [`Procedure::sync`] |
//! | have a task's value | [`Finish::spawn_future`], [`Future::get`], [`Future::share`] |
//! | hand over a value in the middle of things | [`Promise`], [`Setter`] |
//! | combine contributions in any order | [`Accumulator`], [`Operator`] |
//! | exclude others for a moment | [`isolated()`] |
//! | take a variable out of the analysis | [`unmonitored()`] |
//!
//! # Is it deterministic?
//!
//! Of the constructs here only [`isolated()`] and [`Promise::try_set`] let the schedule decide
//! anything by themselves; that is why a promise cannot be asked whether it is set, nor an accumulator
//! for its value while tasks contribute. What the tasks do to shared memory is another matter, and what
//! `cargo rosser` is for: it runs the same program, unmodified, once and on one thread, and tells whether
//! the result of any schedule could have been another. Its report names the tasks, and the promises that
//! they have or have not waited for.
//!
//! # Things to know
//!
//! * **Threads.** A task begins on any worker of the pool and stays there. What it holds while it
//!   waits need not be `Send`.
//! * **Stacks.** A task has 1 MiB of stack, of which it uses memory as it goes; as for threads, the
//!   environment variable `RUST_MIN_STACK` decides. A blocked task costs some 6 KiB in all. On Linux
//!   before 6.13 not more than some 30,000 tasks can be blocked at a time, unless
//!   `vm.max_map_count` is raised.
//! * **Blocking otherwise.** A task that blocks in another way, on a `Mutex` or in a system call, keeps
//!   its worker. A lock that is held while waiting for a promise stays locked meanwhile.
//! * **Rayon's operations** may be used in tasks, and tasks in rayon's. A part of a `join` that rayon
//!   moves to another worker is no task, though: a `get` there blocks that worker until the promise
//!   is set, with other work of the pool running on top of it. If such a part *sets* a promise for which
//!   the other part waits, the promise has to be an [outside](Promise::outside) one.
//! * **Under `cargo rosser`** [scopes](Scope) of one task have to end in the reverse order of their
//!   beginnings, and the operator of an [`Accumulator`] is taken at its word: what it does is not looked
//!   at.

mod accumulate;
mod finish;
mod future;
mod isolated;
mod place;
mod procedure;
mod promise;
#[doc(hidden)]
pub mod raw;
mod runtime;
mod scope;
mod unmonitored;

pub use self::accumulate::{Accumulator, And, Max, Min, Operator, Or, Product, Sum, Xor};
pub use self::finish::{Finish, finish};
pub use self::future::{Future, SharedFuture};
pub use self::isolated::isolated;
pub use self::procedure::{Procedure, Spawned, procedure};
pub use self::promise::{AlreadySet, Promise, Setter};
pub use self::scope::Scope;
pub use self::unmonitored::unmonitored;
