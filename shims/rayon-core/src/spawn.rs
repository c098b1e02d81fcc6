//! `spawn`: tasks that nothing waits for.
//!
//! Such a task is parallel to everything that follows. On one worker it runs to its end before the
//! spawning call returns, which is one of the orders that the program must be right in. On several
//! workers it may outlive the call, and keeps its pool.

use crate::origin::Origin;
use crate::registry::RegistryRef;
use crate::{job, runtime, worker};

// rosser: upstream tests of spawn/test.rs

/// Runs a closure in the current pool, or in the global one, without waiting for it.
///
/// A panic goes to the pool's panic handler. Without one it ends the process.
#[inline(always)]
pub fn spawn<F>(func: F)
where
    F: FnOnce() + Send + 'static,
{
    spawn_in(func, worker::some_pool());
}

/// Like [`spawn`]. Among tasks that run at once there is no difference in priority.
#[inline(always)]
pub fn spawn_fifo<F>(func: F)
where
    F: FnOnce() + Send + 'static,
{
    spawn_in(func, worker::some_pool());
}

/// Spawns in a given pool.
#[inline(always)]
pub(crate) fn spawn_in<F>(func: F, registry: RegistryRef)
where
    F: FnOnce() + Send + 'static,
{
    let pool = registry.keep();
    let origin = Origin::spawned(registry);
    let (task, data) = job::boxed(move || {
        // Moved here, to be given back after the pool has been left.
        let pool = pool;
        let _resumed = origin.resume();
        pool.catch_unwind(func);
    });
    let _forking = origin.fork();
    // SAFETY: The pair comes from `boxed` and is used once. The body catches panics.
    unsafe { runtime::rosser_spawn(runtime::DETACHED, runtime::NO_SCOPE, task, data) };
}
