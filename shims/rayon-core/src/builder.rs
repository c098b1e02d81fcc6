//! How a program says what a pool is to be like.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::thread;

use crate::error::ThreadPoolBuildError;
use crate::registry::{self, Handlers, Registry, max_num_threads};
use crate::thread_builder::{CustomSpawn, DefaultSpawn, ThreadBuilder, ThreadSpawn};
use crate::thread_pool::ThreadPool;
use crate::unwind::Payload;
use crate::worker;

/// Collects what a pool is to be like, and builds it.
pub struct ThreadPoolBuilder<S = DefaultSpawn> {
    num_threads: usize,
    use_current_thread: bool,
    handlers: Handlers,
    get_thread_name: Option<Box<dyn FnMut(usize) -> String>>,
    stack_size: Option<usize>,
    spawn_handler: S,
    breadth_first: bool,
}

// Deriving it would leave `S` open in `ThreadPoolBuilder::default()`.
impl Default for ThreadPoolBuilder {
    fn default() -> Self {
        ThreadPoolBuilder {
            num_threads: 0,
            use_current_thread: false,
            handlers: Handlers::default(),
            get_thread_name: None,
            stack_size: None,
            spawn_handler: DefaultSpawn,
            breadth_first: false,
        }
    }
}

impl ThreadPoolBuilder {
    /// A builder of a pool that is as usual in everything.
    pub fn new() -> Self {
        Self::default()
    }

    /// Builds a pool whose threads end before this returns, and may therefore borrow.
    ///
    /// Each thread calls `wrapper`, which is expected to call [`ThreadBuilder::run`]; `with_pool`
    /// is called with the pool.
    pub fn build_scoped<W, F, R>(self, wrapper: W, with_pool: F) -> Result<R, ThreadPoolBuildError>
    where
        W: Fn(ThreadBuilder) + Sync,
        F: FnOnce(&ThreadPool) -> R,
    {
        thread::scope(|scope| {
            let wrapper = &wrapper;
            let pool = self
                .spawn_handler(|thread| {
                    let mut builder = thread::Builder::new();
                    if let Some(name) = thread.name() {
                        builder = builder.name(name.to_owned());
                    }
                    if let Some(size) = thread.stack_size() {
                        builder = builder.stack_size(size);
                    }
                    builder.spawn_scoped(scope, move || wrapper(thread)).map(drop)
                })
                .build()?;
            Ok(with_pool(&pool))
        })
    }
}

impl<S> ThreadPoolBuilder<S>
where
    S: ThreadSpawn,
{
    /// Builds a pool.
    pub fn build(self) -> Result<ThreadPool, ThreadPoolBuildError> {
        self.build_registry().map(ThreadPool::new_in)
    }

    /// Builds the global pool. That can be done once, and not after the first use of it.
    pub fn build_global(self) -> Result<(), ThreadPoolBuildError> {
        registry::init_global(self)
    }

    pub(crate) fn build_registry(mut self) -> Result<Arc<Registry>, ThreadPoolBuildError> {
        let asked_for = match self.num_threads {
            0 => registry::default_num_threads(),
            threads => threads,
        };
        let num_threads = asked_for.min(max_num_threads());
        let registry = Registry::new(num_threads, self.handlers);
        // If we fail half-way, or a closure of the program's panics, threads must stop again.
        let unfinished = Unfinished(&registry);
        for index in 0..num_threads {
            let name = self.get_thread_name.as_mut().map(|name| name(index));
            if index == 0 && self.use_current_thread {
                if worker::is_in_some_pool() {
                    return Err(ThreadPoolBuildError::already_in_pool());
                }
                registry.set_adopted_a_thread();
                worker::adopt_current_thread(&registry);
                continue;
            }
            let thread = ThreadBuilder::new(&registry, index, name, self.stack_size);
            self.spawn_handler.spawn(thread).map_err(ThreadPoolBuildError::io)?;
        }
        std::mem::forget(unfinished);
        registry.set_built();
        Ok(registry)
    }
}

/// Terminates a pool that could not be built.
struct Unfinished<'a>(&'a Registry);

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        self.0.terminate();
    }
}

// Marking the methods would make programs warn that do not with the original.
#[allow(clippy::return_self_not_must_use)]
impl<S> ThreadPoolBuilder<S> {
    /// Says how threads are spawned. The handler is called for each, and is expected to have
    /// [`ThreadBuilder::run`] called in a new thread.
    pub fn spawn_handler<F>(self, spawn: F) -> ThreadPoolBuilder<CustomSpawn<F>>
    where
        F: FnMut(ThreadBuilder) -> io::Result<()>,
    {
        ThreadPoolBuilder {
            num_threads: self.num_threads,
            use_current_thread: self.use_current_thread,
            handlers: self.handlers,
            get_thread_name: self.get_thread_name,
            stack_size: self.stack_size,
            spawn_handler: CustomSpawn::new(spawn),
            breadth_first: self.breadth_first,
        }
    }

    /// Says how threads are named, given their numbers.
    pub fn thread_name<F>(mut self, closure: F) -> Self
    where
        F: FnMut(usize) -> String + 'static,
    {
        self.get_thread_name = Some(Box::new(closure));
        self
    }

    /// Says how many threads there are; 0 stands for what the environment or the machine says.
    pub fn num_threads(mut self, num_threads: usize) -> Self {
        self.num_threads = num_threads;
        self
    }

    /// Makes the thread that builds the pool its first thread, for as long as it lives.
    pub fn use_current_thread(mut self) -> Self {
        self.use_current_thread = true;
        self
    }

    /// Says what is called with the panics of tasks that nothing waits for.
    pub fn panic_handler<H>(mut self, panic_handler: H) -> Self
    where
        H: Fn(Payload) + Send + Sync + 'static,
    {
        self.handlers.panic = Some(Box::new(panic_handler));
        self
    }

    /// Says how much stack threads have. Tasks run on the caller's stack all the same.
    pub fn stack_size(mut self, stack_size: usize) -> Self {
        self.stack_size = Some(stack_size);
        self
    }

    /// Asks threads to do their work oldest first.
    #[deprecated(note = "use `scope_fifo` and `spawn_fifo` for similar effect")]
    pub fn breadth_first(mut self) -> Self {
        self.breadth_first = true;
        self
    }

    /// Says what is called with the number of a thread that starts.
    pub fn start_handler<H>(mut self, start_handler: H) -> Self
    where
        H: Fn(usize) + Send + Sync + 'static,
    {
        self.handlers.start = Some(Box::new(start_handler));
        self
    }

    /// Says what is called with the number of a thread that ends.
    pub fn exit_handler<H>(mut self, exit_handler: H) -> Self
    where
        H: Fn(usize) + Send + Sync + 'static,
    {
        self.handlers.exit = Some(Box::new(exit_handler));
        self
    }
}

#[allow(clippy::missing_fields_in_debug, reason = "a spawn handler need not be `Debug`")]
impl<S> fmt::Debug for ThreadPoolBuilder<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Closures have nothing to print, but whether there is one can be told.
        fn closure<T>(closure: Option<&T>) -> Option<fmt::Arguments<'static>> {
            closure.map(|_| format_args!("<closure>"))
        }
        f.debug_struct("ThreadPoolBuilder")
            .field("num_threads", &self.num_threads)
            .field("use_current_thread", &self.use_current_thread)
            .field("get_thread_name", &closure(self.get_thread_name.as_ref()))
            .field("panic_handler", &closure(self.handlers.panic.as_ref()))
            .field("stack_size", &self.stack_size)
            .field("start_handler", &closure(self.handlers.start.as_ref()))
            .field("exit_handler", &closure(self.handlers.exit.as_ref()))
            .field("breadth_first", &self.breadth_first)
            .finish()
    }
}
