//! A stack on which tasks run, one after the other, until one of them waits.
//!
//! A fiber never leaves the thread that made it.
#![allow(unsafe_code, reason = "a coroutine is resumed while its own code looks at its fiber")]

use std::cell::{Cell, RefCell, UnsafeCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{self, NonNull};
use std::sync::Arc;

use corosensei::stack::Stack as _;
use corosensei::{Coroutine, CoroutineResult, Yielder};

use super::detector::OwnStack;
use super::join::Join;
use super::others::Inbox;
use crate::runtime::body::{Body, Payload};
use crate::runtime::stack::{OutOfStacks, Stack};

/// Why a fiber came back.
pub(super) enum Pause {
    /// Its task has ended.
    Ended(Option<Payload>),
    /// Its task waits.
    Waits,
}

/// What a fiber is resumed with.
enum Order {
    Run(Body<'static>),
    /// The task may go on.
    Continue,
    /// No more tasks: come to an end and give the stack back.
    Retire,
}

type Switch = Yielder<Order, Pause>;

pub(super) struct Fiber {
    /// By which its thread is told that the task may go on.
    pub(super) inbox: Arc<Inbox>,
    pub(super) own: Cell<OwnStack>,
    /// Who is told when the task ends.
    pub(super) join: Cell<*const Join>,
    /// The innermost scope that is open in the task.
    pub(super) innermost: Cell<u64>,
    /// What is to be done when it has ended.
    pub(super) at_end: RefCell<Vec<Box<dyn FnOnce()>>>,
    switch: Cell<*const Switch>,
    coroutine: UnsafeCell<Coroutine<Order, Pause, (), Stack>>,
}

/// A fiber that is referred to. It is valid as long as the fiber has a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FiberRef(NonNull<Fiber>);

// SAFETY: other threads only pass it on, and read `inbox`, which never changes.
unsafe impl Send for FiberRef {}
// SAFETY: as above.
unsafe impl Sync for FiberRef {}

impl FiberRef {
    /// A new fiber of the calling thread.
    pub(super) fn new(inbox: &Arc<Inbox>) -> Result<Self, OutOfStacks> {
        let stack = Stack::allocate()?;
        let own = OwnStack::new(stack.limit().get(), stack.base().get());
        let coroutine = Coroutine::with_stack(stack, |switch: &Switch, order| live(switch, order));
        let fiber = Box::new(Fiber {
            inbox: Arc::clone(inbox),
            own: Cell::new(own),
            join: Cell::new(ptr::null()),
            innermost: Cell::new(0),
            at_end: RefCell::default(),
            switch: Cell::new(ptr::null()),
            coroutine: UnsafeCell::new(coroutine),
        });
        Ok(Self(NonNull::from(Box::leak(fiber))))
    }

    /// # Safety
    /// The fiber must not have been retired.
    pub(super) unsafe fn get<'a>(self) -> &'a Fiber {
        // SAFETY: fibers are freed by `retire` alone.
        unsafe { self.0.as_ref() }
    }

    /// Runs a task until it ends or waits.
    ///
    /// # Safety
    /// The fiber must be vacant and belong to the calling thread.
    pub(super) unsafe fn run(self, body: Body<'static>) -> Pause {
        // SAFETY: as the caller promises.
        unsafe { self.resume(Order::Run(body)) }
    }

    /// Lets the task that waits go on until it ends or waits again.
    ///
    /// # Safety
    /// The fiber must belong to the calling thread and its task wait.
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

    /// Puts the task that calls it aside until [`go_on`](Self::go_on).
    ///
    /// # Safety
    /// To be called on the fiber's own stack.
    pub(super) unsafe fn wait(self) {
        // SAFETY: the fiber runs, so it lives.
        let switch = unsafe { self.0.as_ref() }.switch.get();
        // SAFETY: a fiber that runs has noted its switch, which lives at the bottom of its stack.
        unsafe { &*switch }.suspend(Pause::Waits);
    }
}

/// The life of a fiber.
fn live(switch: &Switch, mut order: Order) {
    while let Order::Run(body) = order {
        let fiber = super::executor::current_fiber().expect("a fiber that runs is the current one");
        // SAFETY: it has a task, the one just given to it.
        unsafe { fiber.get() }.switch.set(switch);
        let panic = catch_unwind(AssertUnwindSafe(body)).err();
        order = switch.suspend(Pause::Ended(panic));
    }
}
