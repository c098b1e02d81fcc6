//! Pools of a program's own.
//!
//! To run something in a pool is not a fork: it is called on the spot, by the calling thread,
//! which is inside the pool meanwhile.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use crate::broadcast::{self, BroadcastContext};
use crate::join::join;
use crate::registry::{Kept, Registry, RegistryRef};
use crate::scope::{self, Scope, ScopeFifo};
use crate::spawn;
use crate::worker::{self, Yield};

// rosser: upstream tests of thread_pool/test.rs

/// A pool. Dropping it ends its threads, after the tasks that were spawned and still run.
pub struct ThreadPool {
    registry: Kept,
}

impl ThreadPool {
    /// Builds a pool. See [`ThreadPoolBuilder::build`](crate::ThreadPoolBuilder::build).
    #[deprecated(note = "Use `ThreadPoolBuilder::build`")]
    #[allow(deprecated)]
    pub fn new(configuration: crate::Configuration) -> Result<ThreadPool, Box<dyn Error>> {
        configuration.into_builder().build().map_err(Box::from)
    }

    pub(crate) fn new_in(registry: Arc<Registry>) -> Self {
        ThreadPool { registry: Kept::by_owner(registry) }
    }

    /// The registry, for calls that do not return before everything they run has ended or is kept.
    #[inline(always)]
    fn registry(&self) -> RegistryRef {
        // SAFETY: All callers use it only inside calls that borrow the pool. What they run has
        // ended when they return, and until then the pool stays; what is spawned keeps it.
        unsafe { RegistryRef::new(&self.registry) }
    }

    /// Calls `op` inside the pool. Its panic goes on.
    #[inline]
    pub fn install<OP, R>(&self, op: OP) -> R
    where
        OP: FnOnce() -> R + Send,
        R: Send,
    {
        let _inside = worker::enter(self.registry());
        op()
    }

    /// [`broadcast`](crate::broadcast()) in this pool.
    #[inline(always)]
    pub fn broadcast<OP, R>(&self, op: OP) -> Vec<R>
    where
        OP: Fn(BroadcastContext<'_>) -> R + Sync,
        R: Send,
    {
        broadcast::broadcast_in(op, self.registry())
    }

    /// How many threads the pool has.
    #[inline]
    pub fn current_num_threads(&self) -> usize {
        self.registry.num_threads()
    }

    /// The number of the current thread in this pool; `None` if it is not in this pool.
    #[inline(always)]
    pub fn current_thread_index(&self) -> Option<usize> {
        if worker::is_in(self.registry()) { worker::current_thread_index() } else { None }
    }

    /// Whether the current thread has work of its own left to do, which it is never said to have;
    /// `None` if it is not in this pool.
    #[inline]
    pub fn current_thread_has_pending_tasks(&self) -> Option<bool> {
        worker::is_in(self.registry()).then_some(false)
    }

    /// [`join`](crate::join()) in this pool.
    #[inline(always)]
    pub fn join<A, B, RA, RB>(&self, oper_a: A, oper_b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send,
    {
        let _inside = worker::enter(self.registry());
        join(oper_a, oper_b)
    }

    /// [`scope`](crate::scope()) in this pool.
    #[inline(always)]
    pub fn scope<'scope, OP, R>(&self, op: OP) -> R
    where
        OP: FnOnce(&Scope<'scope>) -> R + Send,
        R: Send,
    {
        let _inside = worker::enter(self.registry());
        scope::scope(op)
    }

    /// [`scope_fifo`](crate::scope_fifo()) in this pool.
    #[inline(always)]
    pub fn scope_fifo<'scope, OP, R>(&self, op: OP) -> R
    where
        OP: FnOnce(&ScopeFifo<'scope>) -> R + Send,
        R: Send,
    {
        let _inside = worker::enter(self.registry());
        scope::scope_fifo(op)
    }

    /// [`in_place_scope`](crate::in_place_scope()) with tasks in this pool.
    #[inline(always)]
    pub fn in_place_scope<'scope, OP, R>(&self, op: OP) -> R
    where
        OP: FnOnce(&Scope<'scope>) -> R,
    {
        scope::do_in_place_scope(self.registry(), op)
    }

    /// [`in_place_scope_fifo`](crate::in_place_scope_fifo()) with tasks in this pool.
    #[inline(always)]
    pub fn in_place_scope_fifo<'scope, OP, R>(&self, op: OP) -> R
    where
        OP: FnOnce(&ScopeFifo<'scope>) -> R,
    {
        scope::do_in_place_scope_fifo(self.registry(), op)
    }

    /// [`spawn`](crate::spawn()) in this pool.
    #[inline(always)]
    pub fn spawn<OP>(&self, op: OP)
    where
        OP: FnOnce() + Send + 'static,
    {
        spawn::spawn_in(op, self.registry());
    }

    /// [`spawn_fifo`](crate::spawn_fifo()) in this pool.
    #[inline(always)]
    pub fn spawn_fifo<OP>(&self, op: OP)
    where
        OP: FnOnce() + Send + 'static,
    {
        spawn::spawn_in(op, self.registry());
    }

    /// [`spawn_broadcast`](crate::spawn_broadcast()) in this pool.
    #[inline(always)]
    pub fn spawn_broadcast<OP>(&self, op: OP)
    where
        OP: Fn(BroadcastContext<'_>) + Send + Sync + 'static,
    {
        broadcast::spawn_broadcast_in(op, self.registry());
    }

    /// [`yield_now`](crate::yield_now()); `None` if the current thread is not in this pool.
    #[inline]
    pub fn yield_now(&self) -> Option<Yield> {
        worker::is_in(self.registry()).then_some(Yield::Idle)
    }

    /// [`yield_local`](crate::yield_local()); `None` if the current thread is not in this pool.
    #[inline]
    pub fn yield_local(&self) -> Option<Yield> {
        worker::is_in(self.registry()).then_some(Yield::Idle)
    }
}

impl fmt::Debug for ThreadPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ThreadPool")
            .field("num_threads", &self.current_num_threads())
            .field("id", &self.registry.id())
            .finish()
    }
}
