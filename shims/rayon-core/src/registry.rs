//! What a pool consists of: a number of threads and the handlers that the program gave it.

use std::env;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::thread::{self, ThreadId};

use crate::builder::ThreadPoolBuilder;
use crate::error::ThreadPoolBuildError;
use crate::runtime;
use crate::thread_builder::ThreadSpawn;
use crate::unwind::{self, AbortIfPanic, Payload};
use crate::worker;

pub(crate) type PanicHandler = dyn Fn(Payload) + Send + Sync;
pub(crate) type StartHandler = dyn Fn(usize) + Send + Sync;
pub(crate) type ExitHandler = dyn Fn(usize) + Send + Sync;

/// How many threads a pool can have at most.
pub fn max_num_threads() -> usize {
    // The original counts threads in a quarter of a word.
    (1 << (usize::BITS / 4)) - 1
}

/// What the program can ask to be called with.
#[derive(Default)]
pub(crate) struct Handlers {
    pub(crate) panic: Option<Box<PanicHandler>>,
    pub(crate) start: Option<Box<StartHandler>>,
    pub(crate) exit: Option<Box<ExitHandler>>,
}

/// A pool.
pub(crate) struct Registry {
    /// The registry itself, for those who keep it.
    this: Weak<Registry>,
    num_threads: usize,
    handlers: Handlers,
    /// How many keep the pool from terminating: its owner, and tasks that nothing waits for.
    users: AtomicUsize,
    /// The thread that builds the pool, and whether it still does.
    builder: ThreadId,
    is_being_built: AtomicBool,
    /// Whether the thread that built the pool is its first worker.
    has_adopted_a_thread: AtomicBool,
    state: Mutex<State>,
    /// Notified when the pool terminates.
    terminated: Condvar,
}

#[derive(Default)]
struct State {
    /// Numbers of the threads that were started without there being a thread.
    started_in_place: Vec<Number>,
    is_terminated: bool,
}

/// The number of a thread. A type of this crate's own: the program would share what a `Vec<usize>` of this crate
/// grows by, and nothing would be seen of that.
struct Number(usize);

/// Tells pools apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(dead_code, reason = "only printed")]
pub(crate) struct RegistryId {
    addr: usize,
}

impl Registry {
    #[inline(never)]
    pub(crate) fn new(num_threads: usize, handlers: Handlers) -> Arc<Registry> {
        Arc::new_cyclic(|this| Registry {
            this: Weak::clone(this),
            num_threads,
            handlers,
            users: AtomicUsize::new(1),
            builder: thread::current().id(),
            is_being_built: AtomicBool::new(true),
            has_adopted_a_thread: AtomicBool::new(false),
            state: Mutex::default(),
            terminated: Condvar::new(),
        })
    }

    #[inline(never)]
    pub(crate) fn num_threads(&self) -> usize {
        self.num_threads
    }

    #[inline(never)]
    pub(crate) fn id(&self) -> RegistryId {
        RegistryId { addr: std::ptr::from_ref(self).addr() }
    }

    #[inline(never)]
    pub(crate) fn has_adopted_a_thread(&self) -> bool {
        // Relaxed: the thread that reads it wrote it, or was told of the pool by that thread.
        self.has_adopted_a_thread.load(Ordering::Relaxed)
    }

    #[inline(never)]
    pub(crate) fn set_adopted_a_thread(&self) {
        self.has_adopted_a_thread.store(true, Ordering::Relaxed);
    }

    /// Says that all threads were given to the spawn handler.
    #[inline(never)]
    pub(crate) fn set_built(&self) {
        self.is_being_built.store(false, Ordering::Relaxed);
    }

    /// Keeps the pool, for a task that nothing waits for. The caller borrows it.
    #[inline(never)]
    pub(crate) fn keep(&self) -> Kept {
        // Relaxed: the caller has the pool by a user that is counted already.
        self.users.fetch_add(1, Ordering::Relaxed);
        Kept(Arc::into_raw(self.this.upgrade().expect("a pool that is borrowed is there")))
    }

    /// Calls a closure of a task that nobody waits for. Its panic goes to the panic handler.
    #[inline]
    pub(crate) fn catch_unwind(&self, f: impl FnOnce()) {
        if let Err(payload) = unwind::halt_unwinding(f) {
            self.handle_panic(payload);
        }
    }

    /// Without a handler, or if the handler panics itself, the process ends.
    #[cold]
    #[inline(never)]
    fn handle_panic(&self, payload: Payload) {
        let abort_guard = AbortIfPanic;
        if let Some(handler) = &self.handlers.panic {
            handler(payload);
            std::mem::forget(abort_guard);
        }
    }

    /// Starts a thread of the pool without a thread: there is only its start handler to call. Its
    /// exit handler is called when the pool terminates.
    #[inline(never)]
    pub(crate) fn start_in_place(&self, index: usize) {
        self.lock().started_in_place.push(Number(index));
        self.call_handler(self.handlers.start.as_deref(), index);
    }

    /// Does what a thread has to do that was started for the pool: nothing, until the pool
    /// terminates.
    #[inline(never)]
    pub(crate) fn run_thread(&self, index: usize) {
        if self.is_being_built.load(Ordering::Relaxed) && self.builder == thread::current().id() {
            // A spawn handler runs the thread instead of spawning it. It would wait for the end
            // of a pool that is not made before it returns.
            // SAFETY: The function has no preconditions.
            unsafe { runtime::rosser_blocked() };
        }
        self.call_handler(self.handlers.start.as_deref(), index);
        let mut state = self.lock();
        while !state.is_terminated {
            state = self.terminated.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        drop(state);
        self.call_handler(self.handlers.exit.as_deref(), index);
    }

    /// Ends the use of the pool by its owner, or by a task that kept it. After the last one the
    /// pool ends. Nothing runs in it any more: whoever runs something in it borrows or keeps it.
    #[inline(never)]
    pub(crate) fn terminate(&self) {
        // Release and acquire: what ran in the pool comes before the exit handlers.
        if self.users.fetch_sub(1, Ordering::AcqRel) > 1 {
            return;
        }
        let mut state = self.lock();
        state.is_terminated = true;
        let started = std::mem::take(&mut state.started_in_place);
        drop(state);
        self.terminated.notify_all();
        for Number(index) in started {
            self.call_handler(self.handlers.exit.as_deref(), index);
        }
    }

    fn call_handler(&self, handler: Option<&(dyn Fn(usize) + Send + Sync)>, index: usize) {
        if let Some(handler) = handler {
            // SAFETY: The pool is borrowed for longer than the guard lives. What is spawned inside
            // keeps it.
            let _inside = worker::enter_at(unsafe { RegistryRef::new(self) }, index);
            self.catch_unwind(|| handler(index));
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics under the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns when the pool's threads have stopped.
    #[cfg(test)]
    #[allow(dead_code, reason = "the original's unit tests use it")]
    pub(crate) fn wait_until_stopped(&self) {
        let mut state = self.lock();
        while !state.is_terminated {
            if !crate::backend::HAS_WORKERS {
                // SAFETY: The function has no preconditions.
                unsafe { runtime::rosser_blocked() };
            }
            state = self.terminated.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A pool that is kept: by its owner, or for a task that nothing waits for ([`Registry::keep`]).
///
/// It counts references, but not in generic functions: those the detector would see.
pub(crate) struct Kept(*const Registry);

// SAFETY: It stands for `Arc<Registry>`, and a registry is `Send` and `Sync`.
unsafe impl Send for Kept {}
// SAFETY: As above.
unsafe impl Sync for Kept {}

impl Kept {
    /// The pool as its owner has it, who is counted from the beginning.
    pub(crate) fn by_owner(registry: Arc<Registry>) -> Self {
        Kept(Arc::into_raw(registry))
    }
}

impl Deref for Kept {
    type Target = Registry;

    #[inline]
    fn deref(&self) -> &Registry {
        // SAFETY: Our reference count keeps the registry.
        unsafe { &*self.0 }
    }
}

impl Drop for Kept {
    #[inline(never)]
    fn drop(&mut self) {
        // SAFETY: The pointer is from `into_raw`, and this is the only time it is returned.
        let registry = unsafe { Arc::from_raw(self.0) };
        registry.terminate();
    }
}

/// A pool that is known to outlive the use that is made of it.
///
/// A thread is inside a pool only while a call borrows the pool or a task keeps it, or for good
/// when the pool is the global one or has adopted the thread; those are never freed. So references
/// need not be counted, which generic functions would do under the eyes of the detector.
#[derive(Clone, Copy)]
pub(crate) struct RegistryRef(NonNull<Registry>);

// SAFETY: It stands for `&Registry`, and a registry is `Sync`.
unsafe impl Send for RegistryRef {}
// SAFETY: As above.
unsafe impl Sync for RegistryRef {}

impl RegistryRef {
    /// # Safety
    ///
    /// No copy may be used after the borrow has ended.
    #[inline]
    pub(crate) unsafe fn new(registry: &Registry) -> Self {
        RegistryRef(NonNull::from(registry))
    }

    pub(crate) fn leak(registry: Arc<Registry>) -> Self {
        let registry = Arc::into_raw(registry);
        // SAFETY: The reference count that was leaked keeps the registry for ever.
        unsafe { RegistryRef::new(&*registry) }
    }
}

impl Deref for RegistryRef {
    type Target = Registry;

    #[inline]
    fn deref(&self) -> &Registry {
        // SAFETY: Whoever made it promised that the registry is still borrowed.
        unsafe { self.0.as_ref() }
    }
}

impl PartialEq for RegistryRef {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

/// The global pool. `None` if it could not be built: that is not tried twice.
static GLOBAL: OnceLock<Option<RegistryRef>> = OnceLock::new();

/// The global pool, built now if it has not been used before.
#[inline(never)]
pub(crate) fn global() -> RegistryRef {
    GLOBAL
        .get_or_init(|| ThreadPoolBuilder::new().build_registry().ok().map(RegistryRef::leak))
        .expect("The global thread pool has not been initialized.")
}

/// Builds the global pool as the program wants it, unless it is already there.
pub(crate) fn init_global<S>(builder: ThreadPoolBuilder<S>) -> Result<(), ThreadPoolBuildError>
where
    S: ThreadSpawn,
{
    let mut result = Err(ThreadPoolBuildError::already_initialized());
    GLOBAL.get_or_init(|| match builder.build_registry() {
        Ok(registry) => {
            result = Ok(());
            Some(RegistryRef::leak(registry))
        }
        Err(error) => {
            result = Err(error);
            None
        }
    });
    result
}

/// How many threads a pool gets if the program does not say: as many as the environment says, or
/// else as the machine has processors. There are no fewer than workers, or these had no work.
#[inline(never)]
pub(crate) fn default_num_threads() -> usize {
    let number = |name| env::var(name).ok().and_then(|value| value.parse::<usize>().ok());
    let asked_for = match number("RAYON_NUM_THREADS") {
        Some(threads) => Some(threads),
        // The variable's name of old.
        None => number("RAYON_RS_NUM_CPUS"),
    };
    match asked_for {
        Some(threads) if threads > 0 => threads,
        _ => {
            // SAFETY: The function has no preconditions.
            let workers = unsafe { runtime::rosser_workers() };
            thread::available_parallelism().map_or(1, usize::from).max(workers)
        }
    }
}

/// Calls `op` inside some pool.
#[cfg(test)]
#[allow(dead_code, reason = "the original's unit tests use it")]
pub(crate) fn in_worker<R>(op: impl FnOnce(RegistryRef, bool) -> R) -> R {
    let _inside = worker::enter_some_pool();
    op(worker::some_pool(), false)
}
