//! `scope`: any number of tasks, all of which end before the scope does.
//!
//! The two kinds of scope differ only in the order in which a thread takes up their tasks. Here
//! that is up to the runtime, so the kinds differ in name only.

use std::fmt;
use std::marker::PhantomData;
use std::thread;

use crate::broadcast::{self, BroadcastContext};
use crate::origin::Origin;
use crate::registry::RegistryRef;
use crate::unwind::{self, FirstPanic};
use crate::{job, runtime, worker};

// rosser: upstream tests of scope/test.rs

/// A scope in which tasks are spawned. See [`scope()`].
pub struct Scope<'scope> {
    base: ScopeBase<'scope>,
}

/// A scope whose tasks are taken up in the order of their spawns. See [`scope_fifo`].
pub struct ScopeFifo<'scope> {
    base: ScopeBase<'scope>,
}

/// What both kinds of scope have.
struct ScopeBase<'scope> {
    registry: RegistryRef,
    id: u64,
    panic: FirstPanic,
    /// Makes `'scope` invariant: it may neither grow nor shrink, for tasks borrow from it.
    #[allow(clippy::type_complexity)]
    marker: PhantomData<Box<dyn FnOnce(&Scope<'scope>) + Send + Sync + 'scope>>,
}

/// Calls `op` in the current pool, or in the global one, with a new scope, and returns when all
/// tasks that were spawned in the scope have ended.
///
/// If `op` or a task panics, the others run all the same, and then the first panic goes on.
#[inline(always)]
pub fn scope<'scope, OP, R>(op: OP) -> R
where
    OP: FnOnce(&Scope<'scope>) -> R + Send,
    R: Send,
{
    let _inside = worker::enter_some_pool();
    in_place_scope(op)
}

/// Like [`scope()`], with tasks taken up in the order of their spawns.
#[inline(always)]
pub fn scope_fifo<'scope, OP, R>(op: OP) -> R
where
    OP: FnOnce(&ScopeFifo<'scope>) -> R + Send,
    R: Send,
{
    let _inside = worker::enter_some_pool();
    in_place_scope_fifo(op)
}

/// Like [`scope()`], but `op` itself stays on the calling thread, in a pool or not.
#[inline(always)]
pub fn in_place_scope<'scope, OP, R>(op: OP) -> R
where
    OP: FnOnce(&Scope<'scope>) -> R,
{
    do_in_place_scope(worker::some_pool(), op)
}

/// Like [`scope_fifo`], but `op` itself stays on the calling thread, in a pool or not.
#[inline(always)]
pub fn in_place_scope_fifo<'scope, OP, R>(op: OP) -> R
where
    OP: FnOnce(&ScopeFifo<'scope>) -> R,
{
    do_in_place_scope_fifo(worker::some_pool(), op)
}

/// An in-place scope whose tasks belong to a given pool.
#[inline(always)]
pub(crate) fn do_in_place_scope<'scope, OP, R>(registry: RegistryRef, op: OP) -> R
where
    OP: FnOnce(&Scope<'scope>) -> R,
{
    let scope = Scope { base: ScopeBase::begin(registry) };
    let outcome = unwind::halt_unwinding(|| op(&scope));
    scope.base.end(outcome)
}

/// An in-place scope whose tasks belong to a given pool.
#[inline(always)]
pub(crate) fn do_in_place_scope_fifo<'scope, OP, R>(registry: RegistryRef, op: OP) -> R
where
    OP: FnOnce(&ScopeFifo<'scope>) -> R,
{
    let scope = ScopeFifo { base: ScopeBase::begin(registry) };
    let outcome = unwind::halt_unwinding(|| op(&scope));
    scope.base.end(outcome)
}

impl<'scope> Scope<'scope> {
    /// Runs a task in the scope. It may spawn more of them.
    #[inline(always)]
    pub fn spawn<BODY>(&self, body: BODY)
    where
        BODY: FnOnce(&Scope<'scope>) + Send + 'scope,
    {
        self.base.spawn(move || body(self));
    }

    /// Runs a task for every thread of the pool in the scope.
    #[inline(always)]
    pub fn spawn_broadcast<BODY>(&self, body: BODY)
    where
        BODY: Fn(&Scope<'scope>, BroadcastContext<'_>) + Send + Sync + 'scope,
    {
        self.base.spawn_broadcast(move |context: BroadcastContext<'_>| body(self, context));
    }
}

impl<'scope> ScopeFifo<'scope> {
    /// Runs a task in the scope. It may spawn more of them.
    #[inline(always)]
    pub fn spawn_fifo<BODY>(&self, body: BODY)
    where
        BODY: FnOnce(&ScopeFifo<'scope>) + Send + 'scope,
    {
        self.base.spawn(move || body(self));
    }

    /// Runs a task for every thread of the pool in the scope.
    #[inline(always)]
    pub fn spawn_broadcast<BODY>(&self, body: BODY)
    where
        BODY: Fn(&ScopeFifo<'scope>, BroadcastContext<'_>) + Send + Sync + 'scope,
    {
        self.base.spawn_broadcast(move |context: BroadcastContext<'_>| body(self, context));
    }
}

impl ScopeBase<'_> {
    /// Opens a scope. [`ScopeBase::end`] must be called, in the same task.
    #[inline(always)]
    fn begin(registry: RegistryRef) -> Self {
        // SAFETY: Every caller catches panics of the scope's body and then ends the scope.
        let id = unsafe { runtime::rosser_scope_begin() };
        ScopeBase { registry, id, panic: FirstPanic::new(), marker: PhantomData }
    }

    /// Joins the scope's tasks. Then the first panic goes on, or the body's result is returned.
    #[inline(always)]
    fn end<R>(&self, outcome: thread::Result<R>) -> R {
        // If a task has panicked by now, it was first. Those that still run come later.
        let outcome = outcome.map_err(|payload| self.panic.offer(payload));
        // SAFETY: `begin` opened the scope in the same task, and this is called once.
        unsafe { runtime::rosser_scope_end(self.id) };
        self.panic.propagate();
        outcome.unwrap_or_else(|()| unreachable!("the body's panic was offered"))
    }

    #[inline(always)]
    fn spawn<F>(&self, body: F)
    where
        F: FnOnce(),
    {
        let origin = Origin::in_pool(self.registry);
        let (task, data) = job::boxed(move || {
            let _resumed = origin.resume();
            self.catch_unwind(body);
        });
        let _forking = origin.fork();
        // SAFETY: The pair comes from `boxed` and is used once. The body catches panics. `self`
        // is borrowed, so the scope is open.
        unsafe { runtime::rosser_spawn(runtime::SCOPE_SPAWN, self.id, task, data) };
    }

    /// The calls are joined by a task of their own, which drops `op` after the last of them.
    #[inline(always)]
    fn spawn_broadcast<OP>(&self, op: OP)
    where
        OP: Fn(BroadcastContext<'_>),
    {
        self.spawn(move || {
            broadcast::on_every_thread(self.registry, &|context: BroadcastContext<'_>| {
                self.catch_unwind(|| op(context));
            });
        });
    }

    #[inline]
    fn catch_unwind(&self, f: impl FnOnce()) {
        if let Err(payload) = unwind::halt_unwinding(f) {
            self.panic.offer(payload);
        }
    }

    fn debug(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(name)
            .field("pool_id", &self.registry.id())
            .field("scope", &self.id)
            .field("panicked", &self.panic.is_some())
            .finish()
    }
}

impl fmt::Debug for Scope<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.base.debug("Scope", f)
    }
}

impl fmt::Debug for ScopeFifo<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.base.debug("ScopeFifo", f)
    }
}
