//! A stack on which tasks run, one after the other, until one of them blocks.
//!
//! A fiber is a coroutine that runs a task, comes back, and takes the next: as long as nobody
//! blocks, a worker needs one, and a task costs two switches and no stack. A task that blocks keeps
//! its fiber, and the worker takes another.
//!
//! A fiber never leaves the thread that made it. What is on its stack need not be `Send`, may point
//! into thread-local storage, and may be in the middle of a `rayon::join`.
#![allow(unsafe_code, reason = "a coroutine is resumed while its own code looks at its fiber")]

use std::cell::{Cell, UnsafeCell};
use std::ptr::{self, NonNull};
use std::sync::Arc;

use corosensei::{Coroutine, CoroutineResult, Yielder};

use super::home::Home;
use super::root::Root;
use super::task::Task;
use super::wait::Stops;
use crate::runtime::stack::{OutOfStacks, Stack};

/// Why a fiber came back.
pub(super) enum Pause {
    /// Its task has ended; it wants another.
    Vacant,
    /// Its task is blocked.
    Blocked(Stops),
}

/// What a fiber is resumed with.
enum Order {
    Run(Task),
    /// The task may go on.
    Continue,
    /// No more tasks: come to an end and give the stack back.
    Retire,
}

type Switch = Yielder<Order, Pause>;

pub(super) struct Fiber {
    /// The thread that the fiber belongs to.
    pub(super) home: Arc<Home>,
    /// The root of the task that the fiber runs. Written by its own thread while it runs.
    root: Cell<*const Root>,
    switch: Cell<*const Switch>,
    coroutine: UnsafeCell<Coroutine<Order, Pause, (), Stack>>,
}

/// A fiber that is referred to. It is valid as long as the fiber has a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FiberRef(NonNull<Fiber>);

// SAFETY: other threads only pass it on, and read `home` and `root` while the fiber's task is
// blocked: these were written before, and the task was made known to the other thread after that.
unsafe impl Send for FiberRef {}
// SAFETY: as above.
unsafe impl Sync for FiberRef {}

impl FiberRef {
    /// A new fiber of the calling thread.
    pub(super) fn new(home: &Arc<Home>) -> Result<Self, OutOfStacks> {
        let stack = Stack::allocate()?;
        let coroutine = Coroutine::with_stack(stack, |switch: &Switch, order| live(switch, order));
        let fiber = Box::new(Fiber {
            home: Arc::clone(home),
            root: Cell::new(ptr::null()),
            switch: Cell::new(ptr::null()),
            coroutine: UnsafeCell::new(coroutine),
        });
        Ok(Self(NonNull::from(Box::leak(fiber))))
    }

    /// # Safety
    /// The fiber must have a task that does not end or go on meanwhile.
    pub(super) unsafe fn get<'a>(self) -> &'a Fiber {
        // SAFETY: fibers are freed by `retire` alone, when they have no task.
        unsafe { self.0.as_ref() }
    }

    /// The root of the fiber's task. It lives as long as the task.
    ///
    /// # Safety
    /// As for [`get`](Self::get).
    pub(super) unsafe fn root(self) -> *const Root {
        // SAFETY: as the caller promises.
        unsafe { self.get() }.root.get()
    }

    /// Runs a task until it ends or blocks.
    ///
    /// # Safety
    /// The fiber must be vacant and belong to the calling thread.
    pub(super) unsafe fn run(self, task: Task) -> Pause {
        // SAFETY: the fiber is ours, so it lives.
        let fiber = unsafe { self.0.as_ref() };
        fiber.root.set(task.root());
        // SAFETY: as the caller promises.
        unsafe { self.resume(Order::Run(task)) }
    }

    /// Lets the blocked task go on until it ends or blocks again.
    ///
    /// # Safety
    /// The fiber must belong to the calling thread and its task be blocked.
    pub(super) unsafe fn go_on(self) -> Pause {
        // SAFETY: as the caller promises.
        unsafe { self.resume(Order::Continue) }
    }

    /// Frees the fiber and its stack.
    ///
    /// # Safety
    /// The fiber must be vacant, belong to the calling thread, and not be referred to any more.
    pub(super) unsafe fn retire(self) {
        // SAFETY: made by `Box::leak`, and nobody else has it.
        let fiber = unsafe { Box::from_raw(self.0.as_ptr()) };
        let mut coroutine = fiber.coroutine.into_inner();
        if coroutine.started() {
            coroutine.resume(Order::Retire);
        }
        if coroutine.done() {
            coroutine.into_stack().release();
        }
    }

    /// # Safety
    /// The fiber must belong to the calling thread and not be running.
    unsafe fn resume(self, order: Order) -> Pause {
        // SAFETY: nobody else resumes a fiber of this thread, and it does not resume itself, so the
        // exclusive borrow of its coroutine is the only one.
        let coroutine = unsafe { &mut *self.0.as_ref().coroutine.get() };
        match coroutine.resume(order) {
            CoroutineResult::Yield(pause) => pause,
            CoroutineResult::Return(()) => unreachable!("only `retire` lets a fiber return"),
        }
    }

    /// Blocks the task that calls it until [`go_on`](Self::go_on).
    ///
    /// # Safety
    /// To be called on the fiber's own stack.
    pub(super) unsafe fn block(self, stops: Stops) {
        // SAFETY: the fiber runs, so it lives.
        let switch = unsafe { self.0.as_ref() }.switch.get();
        // SAFETY: a fiber that runs has noted its switch, which lives at the bottom of its stack.
        unsafe { &*switch }.suspend(Pause::Blocked(stops));
    }
}

/// The life of a fiber.
fn live(switch: &Switch, mut order: Order) {
    while let Order::Run(task) = order {
        let fiber = super::worker::current_fiber().expect("a fiber that runs is the current one");
        // SAFETY: it has a task, the one just given to it.
        unsafe { fiber.get() }.switch.set(switch);
        task.run();
        order = switch.suspend(Pause::Vacant);
    }
}
