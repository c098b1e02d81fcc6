//! The threads of a pool, as they are given to a spawn handler.
//!
//! A handler of the program's own usually spawns a real thread that calls [`ThreadBuilder::run`].
//! Such a thread calls the pool's handlers and otherwise does nothing: the pool's work is done by
//! whoever asks for it.

use std::cell::Cell;
use std::fmt;
use std::hint;
use std::io;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::registry::{Registry, RegistryRef};
use crate::worker;

/// A thread that is to be spawned for a pool.
pub struct ThreadBuilder {
    name: Option<String>,
    stack_size: Option<usize>,
    registry: Arc<Registry>,
    index: usize,
    /// As in the original, a builder can be sent but not shared.
    not_sync: PhantomData<Cell<()>>,
}

impl ThreadBuilder {
    #[inline(never)]
    pub(crate) fn new(
        registry: &Arc<Registry>,
        index: usize,
        name: Option<String>,
        stack_size: Option<usize>,
    ) -> Self {
        ThreadBuilder {
            name,
            stack_size,
            registry: Arc::clone(registry),
            index,
            not_sync: PhantomData,
        }
    }

    /// The thread's number in its pool.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The name that [`thread_name`](crate::ThreadPoolBuilder::thread_name) gave it.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The size given by [`stack_size`](crate::ThreadPoolBuilder::stack_size).
    pub fn stack_size(&self) -> Option<usize> {
        self.stack_size
    }

    /// To be called in the new thread. Returns when the pool has been dropped.
    #[inline(never)]
    pub fn run(self) {
        // SAFETY: The registry is kept by `self` for longer than the guard lives.
        let _inside = worker::enter_at(unsafe { RegistryRef::new(&self.registry) }, self.index);
        self.registry.run_thread(self.index);
    }
}

#[allow(clippy::missing_fields_in_debug, reason = "there is nothing to print in a marker")]
impl fmt::Debug for ThreadBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ThreadBuilder")
            .field("pool", &self.registry.id())
            .field("index", &self.index)
            .field("name", &self.name)
            .field("stack_size", &self.stack_size)
            .finish()
    }
}

/// Nobody outside can name it, and so nobody outside can implement [`ThreadSpawn`].
#[allow(missing_debug_implementations)]
pub struct Sealed;

/// How the threads of a pool are spawned.
pub trait ThreadSpawn {
    /// Keeps others from implementing the trait.
    #[doc(hidden)]
    fn sealed(&self) -> Sealed;

    /// Spawns a thread.
    fn spawn(&mut self, thread: ThreadBuilder) -> io::Result<()>;
}

/// The usual way: no thread is spawned at all.
#[derive(Debug, Default)]
pub struct DefaultSpawn;

impl ThreadSpawn for DefaultSpawn {
    fn sealed(&self) -> Sealed {
        Sealed
    }

    #[inline(never)]
    fn spawn(&mut self, thread: ThreadBuilder) -> io::Result<()> {
        // There is no thread, hence no stack. But a size that cannot be had is an error.
        let mut stack = Vec::<u8>::new();
        if stack.try_reserve_exact(hint::black_box(thread.stack_size.unwrap_or_default())).is_err()
        {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        hint::black_box(&mut stack);
        thread.registry.start_in_place(thread.index);
        Ok(())
    }
}

/// A handler of the program's own.
#[derive(Debug)]
pub struct CustomSpawn<F>(F);

impl<F> CustomSpawn<F>
where
    F: FnMut(ThreadBuilder) -> io::Result<()>,
{
    pub(crate) fn new(spawn: F) -> Self {
        CustomSpawn(spawn)
    }
}

impl<F> ThreadSpawn for CustomSpawn<F>
where
    F: FnMut(ThreadBuilder) -> io::Result<()>,
{
    fn sealed(&self) -> Sealed {
        Sealed
    }

    #[inline]
    fn spawn(&mut self, thread: ThreadBuilder) -> io::Result<()> {
        (self.0)(thread)
    }
}
