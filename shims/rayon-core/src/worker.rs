//! Which pool the current thread works for, and as which of its threads.
//!
//! In the original that is fixed for the life of a worker thread. Here a thread is inside a pool
//! while it runs something that the original would hand over to the pool, and the guards of this
//! module bring back what was before. On several workers a thread runs other tasks while it waits.
//! Each of them puts its own state in place (`origin`) and brings back what was there, so that a
//! call finds the state unchanged after it has waited.
//!
//! # Numbers
//!
//! Tasks that run at the same time must not be the same thread of a pool, and there are no more
//! numbers than the pool has threads. In a pool with at least as many threads as there are workers,
//! a task has the number of the worker that runs it. In a smaller pool it has the number 0, and in
//! a broadcast that of its call. Such a number is *fixed*: it goes over to what the task forks, and
//! that is run by the same thread, at once (`rosser_inline`).
//!
//! What this leaves open: workers that enter the same small pool from outside, at the same time,
//! have the same number there; and a call of a broadcast can have that of a worker that runs
//! another task of the pool.

use std::cell::Cell;
use std::sync::Arc;

use crate::registry::{self, Registry, RegistryRef};
use crate::runtime;

/// A thread of a pool.
#[derive(Clone, Copy)]
pub(crate) struct Worker {
    registry: RegistryRef,
    index: Index,
}

/// Which thread of its pool a task is.
#[derive(Clone, Copy)]
enum Index {
    /// The one that has the number of the runtime's worker.
    OfWorker,
    /// This one, whichever worker runs the task.
    Fixed(usize),
}

impl Worker {
    /// Any thread of a pool.
    fn any(registry: RegistryRef) -> Self {
        let has_all_workers = registry.num_threads() >= workers();
        Worker { registry, index: if has_all_workers { Index::OfWorker } else { Index::Fixed(0) } }
    }

    /// The thread of a pool that has the given number.
    pub(crate) fn at(registry: RegistryRef, index: usize) -> Self {
        Worker { registry, index: Index::Fixed(index) }
    }

    /// Whether the tasks that it forks have to stay on their thread.
    fn is_fixed(self) -> bool {
        matches!(self.index, Index::Fixed(_))
    }

    fn index(self) -> usize {
        match self.index {
            // SAFETY: The function has no preconditions.
            Index::OfWorker => unsafe { runtime::rosser_worker() },
            Index::Fixed(index) => index,
        }
    }
}

/// What the current thread does.
#[derive(Clone, Copy)]
struct Here {
    /// Whom it stands for; nobody outside of pools.
    worker: Option<Worker>,
    /// What was last said to the runtime by `rosser_inline`.
    inline: bool,
}

/// A thread that is in no pool.
const OUTSIDE: Here = Here { worker: None, inline: false };

impl Here {
    fn inside(worker: Worker) -> Self {
        Here { worker: Some(worker), inline: worker.is_fixed() }
    }
}

thread_local! {
    static HERE: Cell<Here> = const { Cell::new(OUTSIDE) };
}

/// Says what the current thread does from now on, and returns what it did.
fn replace(here: Here) -> Here {
    let previous = HERE.replace(here);
    if previous.inline != here.inline {
        // SAFETY: The function has no preconditions.
        unsafe { runtime::rosser_inline(here.inline) };
    }
    previous
}

/// What [`yield_now`] and [`yield_local`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Yield {
    /// Some work was found and done.
    Executed,
    /// There was no work.
    Idle,
}

/// How many threads the current pool has, or the global one if the caller is in none.
#[inline(never)]
pub fn current_num_threads() -> usize {
    some_pool().num_threads()
}

/// The number of the current thread in its pool; `None` outside of pools.
///
/// On one worker it is 0 except in broadcasts, whichever thread would run the caller in the
/// original. The runtime is told that the task asked.
#[inline(always)]
pub fn current_thread_index() -> Option<usize> {
    let index = index()?;
    // SAFETY: The function has no preconditions.
    unsafe { runtime::rosser_worker_local() };
    Some(index)
}

#[inline(never)]
fn index() -> Option<usize> {
    HERE.get().worker.map(Worker::index)
}

/// Whether the current thread has work of its own left to do. It is never said to have: on one
/// worker what is spawned runs at once, on several it is anybody's. `None` outside of pools.
#[inline(never)]
pub fn current_thread_has_pending_tasks() -> Option<bool> {
    HERE.get().worker.map(|_| false)
}

/// Does other work of the pool, if there is any. None is ever found. `None` outside of pools.
#[inline(never)]
pub fn yield_now() -> Option<Yield> {
    HERE.get().worker.map(|_| Yield::Idle)
}

/// Does other work of the current thread, if there is any. None is ever found. `None` outside of
/// pools.
#[inline(never)]
pub fn yield_local() -> Option<Yield> {
    HERE.get().worker.map(|_| Yield::Idle)
}

/// The current pool, or the global one if the caller is in none.
#[inline(never)]
pub(crate) fn some_pool() -> RegistryRef {
    match HERE.get().worker {
        Some(worker) => worker.registry,
        None => registry::global(),
    }
}

/// Whether the current thread is in the given pool.
#[inline(never)]
pub(crate) fn is_in(registry: RegistryRef) -> bool {
    HERE.get().worker.is_some_and(|worker| worker.registry == registry)
}

/// Whether the current thread is in some pool.
#[inline(never)]
pub(crate) fn is_in_some_pool() -> bool {
    HERE.get().worker.is_some()
}

/// Where a task of the given pool is run: as the current thread if that is in the pool, and else as
/// any thread of the pool.
pub(crate) fn place_in(registry: RegistryRef) -> Worker {
    match HERE.get().worker {
        Some(worker) if worker.registry == registry => worker,
        _ => Worker::any(registry),
    }
}

/// Where a task of the given pool is run that nothing waits for.
///
/// Where the program's own thread is the pool's first, and no other worker can run the task, it is
/// for the second thread: the first need never get round to it.
pub(crate) fn place_of_spawned(registry: RegistryRef) -> Worker {
    let has_other_threads = registry.has_adopted_a_thread() && registry.num_threads() > 1;
    if has_other_threads && !is_spread(registry) {
        Worker::at(registry, 1)
    } else {
        place_in(registry)
    }
}

/// Whether the tasks of a pool run on several workers.
fn is_spread(registry: RegistryRef) -> bool {
    (2..=registry.num_threads()).contains(&workers())
}

fn workers() -> usize {
    // SAFETY: The function has no preconditions.
    unsafe { runtime::rosser_workers() }
}

/// While it lives, the current thread is in some pool. Made by [`enter_some_pool`].
///
/// Every `join` has one in its frame, so it is as small as can be.
#[must_use]
pub(crate) struct InSomePool {
    was_outside: bool,
}

/// Enters the global pool, unless the current thread is already in one.
#[inline(never)]
pub(crate) fn enter_some_pool() -> InSomePool {
    let was_outside = !is_in_some_pool();
    if was_outside {
        replace(Here::inside(Worker::any(registry::global())));
    }
    InSomePool { was_outside }
}

impl Drop for InSomePool {
    #[inline(never)]
    fn drop(&mut self) {
        if self.was_outside {
            replace(OUTSIDE);
        }
    }
}

/// While it lives, the current thread is in a certain pool. Brings back what was before.
#[must_use]
pub(crate) struct InPool {
    previous: Here,
}

/// Enters a pool. A thread that is already in it keeps its number.
#[inline(never)]
pub(crate) fn enter(registry: RegistryRef) -> InPool {
    enter_as(place_in(registry))
}

/// Enters a pool as its thread of the given number.
#[inline(never)]
pub(crate) fn enter_at(registry: RegistryRef, index: usize) -> InPool {
    enter_as(Worker::at(registry, index))
}

/// Enters a pool as a certain thread of it.
pub(crate) fn enter_as(worker: Worker) -> InPool {
    InPool { previous: replace(Here::inside(worker)) }
}

impl Drop for InPool {
    #[inline(never)]
    fn drop(&mut self) {
        replace(self.previous);
    }
}

/// While it lives, the current thread forks a task that will be a certain thread of a pool.
#[must_use]
pub(crate) struct Forking {
    previous: Here,
}

/// Begins to fork a task. If it may not leave the current thread, it will run there at once.
pub(crate) fn fork_as(worker: Worker) -> Forking {
    Forking { previous: replace(Here { inline: worker.is_fixed(), ..HERE.get() }) }
}

impl Drop for Forking {
    #[inline(never)]
    fn drop(&mut self) {
        replace(self.previous);
    }
}

/// Makes the current thread the first of a pool, for good. As in the original the pool is never
/// freed then.
#[inline(never)]
pub(crate) fn adopt_current_thread(registry: &Arc<Registry>) {
    let registry = RegistryRef::leak(Arc::clone(registry));
    replace(Here::inside(Worker::any(registry)));
}
