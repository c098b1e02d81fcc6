//! `broadcast`: one call on every thread of a pool, as so many parallel tasks.

use std::fmt;
use std::marker::PhantomData;
use std::thread;

use crate::job::{self, Job};
use crate::origin::Origin;
use crate::registry::RegistryRef;
use crate::{runtime, unwind, worker};

// rosser: upstream tests of broadcast/test.rs

/// Calls `op` once for every thread of the current pool, or of the global one, and returns the
/// results in the order of the threads.
///
/// If some calls panic, the others are made all the same, and then one of the panics goes on.
#[inline(always)]
pub fn broadcast<OP, R>(op: OP) -> Vec<R>
where
    OP: Fn(BroadcastContext<'_>) -> R + Sync,
    R: Send,
{
    broadcast_in(op, worker::some_pool())
}

/// Calls `op` once for every thread of the current pool, or of the global one, without waiting.
///
/// Panics go to the pool's panic handler. Without one they end the process.
#[inline(always)]
pub fn spawn_broadcast<OP>(op: OP)
where
    OP: Fn(BroadcastContext<'_>) + Send + Sync + 'static,
{
    spawn_broadcast_in(op, worker::some_pool());
}

/// Tells one call of a broadcast which thread it stands for.
pub struct BroadcastContext<'a> {
    registry: RegistryRef,
    index: usize,
    /// A context cannot leave its call, nor its thread.
    _marker: PhantomData<&'a mut dyn Fn()>,
}

impl BroadcastContext<'_> {
    /// The thread's number, less than [`BroadcastContext::num_threads`].
    #[inline]
    pub fn index(&self) -> usize {
        self.index
    }

    /// How many calls the broadcast makes: as many as the pool has threads.
    #[inline]
    pub fn num_threads(&self) -> usize {
        self.registry.num_threads()
    }
}

impl fmt::Debug for BroadcastContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BroadcastContext")
            .field("index", &self.index())
            .field("num_threads", &self.num_threads())
            .field("pool_id", &self.registry.id())
            .finish()
    }
}

/// Broadcasts in a given pool.
#[inline(always)]
pub(crate) fn broadcast_in<OP, R>(op: OP, registry: RegistryRef) -> Vec<R>
where
    OP: Fn(BroadcastContext<'_>) -> R + Sync,
    R: Send,
{
    on_every_thread(registry, &op).into_iter().map(unwind::value_or_resume).collect()
}

/// Broadcasts in a given pool without waiting.
///
/// The calls are joined by a task of their own, which drops `op` after the last of them. The
/// original counts references for that.
#[inline(always)]
pub(crate) fn spawn_broadcast_in<OP>(op: OP, registry: RegistryRef)
where
    OP: Fn(BroadcastContext<'_>) + Send + Sync + 'static,
{
    let pool = registry.keep();
    let origin = Origin::in_pool(registry);
    let (task, data) = job::boxed(move || {
        // Moved here, to be given back after the pool has been left.
        let pool = pool;
        let _resumed = origin.resume();
        pool.catch_unwind(move || {
            on_every_thread(registry, &|context: BroadcastContext<'_>| {
                registry.catch_unwind(|| op(context));
            });
        });
    });
    let _forking = origin.fork();
    // SAFETY: The pair comes from `boxed` and is used once. The body catches panics.
    unsafe { runtime::rosser_spawn(runtime::DETACHED, runtime::NO_SCOPE, task, data) };
}

/// Calls `op` once for every thread and returns when all calls have ended.
#[inline(always)]
pub(crate) fn on_every_thread<OP, R>(registry: RegistryRef, op: &OP) -> Vec<thread::Result<R>>
where
    OP: Fn(BroadcastContext<'_>) -> R,
{
    // Everything is in its place before the first task begins: a later one must not move it.
    let mut jobs: Vec<_> = (0..registry.num_threads())
        .map(|index| {
            let origin = Origin::at(registry, index);
            Job::Waiting(move || {
                let _resumed = origin.resume();
                op(BroadcastContext { registry, index, _marker: PhantomData })
            })
        })
        .collect();
    // SAFETY: The scope is ended below. Nothing in between unwinds.
    let scope = unsafe { runtime::rosser_scope_begin() };
    let forking = Origin::in_pool(registry).fork();
    for job in &mut jobs {
        let (task, data) = job.as_task();
        // SAFETY: The job stays where it is until the scope's end, and is run once.
        unsafe { runtime::rosser_spawn(runtime::BROADCAST, scope, task, data) };
    }
    drop(forking);
    // SAFETY: The scope was begun above, in the same task.
    unsafe { runtime::rosser_scope_end(scope) };
    jobs.into_iter().map(Job::into_outcome).collect()
}
