//! Which pool the current thread works for, and as which of its threads.
//!
//! In the original that is fixed for the life of a worker thread. Here a thread is inside a pool
//! while it runs something that the original would hand over to the pool, and the guards of this
//! module bring back what was before.

use std::cell::Cell;
use std::sync::Arc;

use crate::registry::{self, Registry, RegistryRef};
use crate::runtime;

/// A thread of a pool.
#[derive(Clone, Copy)]
struct Worker {
    registry: RegistryRef,
    index: usize,
}

thread_local! {
    /// Whom the current thread stands for; nobody outside of pools.
    static CURRENT: Cell<Option<Worker>> = const { Cell::new(None) };
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
/// It is 0 except in broadcasts, whichever thread would run the caller in the original. The
/// runtime is told that the task asked.
#[inline(always)]
pub fn current_thread_index() -> Option<usize> {
    let index = index()?;
    // SAFETY: The function has no preconditions.
    unsafe { runtime::rosser_worker_local() };
    Some(index)
}

#[inline(never)]
fn index() -> Option<usize> {
    CURRENT.get().map(|worker| worker.index)
}

/// Whether the current thread has work of its own left to do. It never has: what is spawned runs
/// at once. `None` outside of pools.
#[inline(never)]
pub fn current_thread_has_pending_tasks() -> Option<bool> {
    CURRENT.get().map(|_| false)
}

/// Does other work of the pool, if there is any. There never is. `None` outside of pools.
#[inline(never)]
pub fn yield_now() -> Option<Yield> {
    CURRENT.get().map(|_| Yield::Idle)
}

/// Does other work of the current thread, if there is any. There never is. `None` outside of
/// pools.
#[inline(never)]
pub fn yield_local() -> Option<Yield> {
    CURRENT.get().map(|_| Yield::Idle)
}

/// The current pool, or the global one if the caller is in none.
#[inline(never)]
pub(crate) fn some_pool() -> RegistryRef {
    match CURRENT.get() {
        Some(worker) => worker.registry,
        None => registry::global(),
    }
}

/// Whether the current thread is in the given pool.
#[inline(never)]
pub(crate) fn is_in(registry: RegistryRef) -> bool {
    CURRENT.get().is_some_and(|worker| worker.registry == registry)
}

/// Whether the current thread is in some pool.
#[inline(never)]
pub(crate) fn is_in_some_pool() -> bool {
    CURRENT.get().is_some()
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
    let was_outside = CURRENT.get().is_none();
    if was_outside {
        CURRENT.set(Some(Worker { registry: registry::global(), index: 0 }));
    }
    InSomePool { was_outside }
}

impl Drop for InSomePool {
    #[inline(never)]
    fn drop(&mut self) {
        if self.was_outside {
            CURRENT.set(None);
        }
    }
}

/// While it lives, the current thread is in a certain pool. Brings back what was before.
#[must_use]
pub(crate) struct InPool {
    previous: Option<Worker>,
}

/// Enters a pool. A thread that is already in it keeps its number.
#[inline(never)]
pub(crate) fn enter(registry: RegistryRef) -> InPool {
    let previous = CURRENT.get();
    if previous.is_none_or(|worker| worker.registry != registry) {
        CURRENT.set(Some(Worker { registry, index: 0 }));
    }
    InPool { previous }
}

/// Enters a pool for a task that nothing waits for.
///
/// Where the program's own thread is the pool's first, such a task is for another one: the first
/// need never get round to it.
#[inline(never)]
pub(crate) fn enter_spawned(registry: RegistryRef) -> InPool {
    let index = usize::from(registry.has_adopted_a_thread() && registry.num_threads() > 1);
    if index == 0 { enter(registry) } else { enter_at(registry, index) }
}

/// Enters a pool as its thread of the given number.
#[inline(never)]
pub(crate) fn enter_at(registry: RegistryRef, index: usize) -> InPool {
    InPool { previous: CURRENT.replace(Some(Worker { registry, index })) }
}

impl Drop for InPool {
    #[inline(never)]
    fn drop(&mut self) {
        CURRENT.set(self.previous);
    }
}

/// Makes the current thread the first of a pool, for good. As in the original the pool is never
/// freed then.
#[inline(never)]
pub(crate) fn adopt_current_thread(registry: &Arc<Registry>) {
    let registry = RegistryRef::leak(Arc::clone(registry));
    CURRENT.set(Some(Worker { registry, index: 0 }));
}
