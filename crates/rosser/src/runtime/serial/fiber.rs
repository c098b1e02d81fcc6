//! Fibers whose tasks run one after the other, each told to the detector.
#![allow(unsafe_code, reason = "fibers are referred to by pointers")]

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::Arc;

use corosensei::stack::Stack as _;

use super::detector::OwnStack;
use super::executor;
use super::join::Join;
use super::others::Inbox;
use crate::runtime::body::{Body, Payload};
use crate::runtime::fiber::{self, Execution};
use crate::runtime::stack::{OutOfStacks, Stack};

/// Why a fiber came back.
pub(super) enum Pause {
    /// Its task has ended.
    Ended(Option<Payload>),
    /// Its task waits.
    Waits,
}

/// What is remembered with a fiber.
pub(super) struct State {
    /// By which its thread is told that the task may go on.
    pub(super) inbox: Arc<Inbox>,
    pub(super) own: Cell<OwnStack>,
    /// Who is told when the task ends.
    pub(super) join: Cell<*const Join>,
    /// The innermost scope that is open in the task.
    pub(super) innermost: Cell<u64>,
    /// What is to be done when it has ended.
    pub(super) at_end: RefCell<Vec<Box<dyn FnOnce()>>>,
}

/// The execution under the detector.
pub(super) struct Serial;

impl Execution for Serial {
    type Task = Body<'static>;
    type Pause = Pause;
    type State = State;

    fn current() -> Option<FiberRef> {
        executor::current_fiber()
    }

    fn run(body: Body<'static>) -> Pause {
        Pause::Ended(catch_unwind(AssertUnwindSafe(body)).err())
    }
}

/// A fiber that is referred to.
pub(super) type FiberRef = fiber::FiberRef<Serial>;

// SAFETY: other threads only pass it on, and read `inbox`, which never changes.
unsafe impl Send for FiberRef {}
// SAFETY: as above.
unsafe impl Sync for FiberRef {}

impl FiberRef {
    /// A new fiber of the calling thread.
    pub(super) fn of(inbox: &Arc<Inbox>) -> Result<Self, OutOfStacks> {
        let stack = Stack::allocate()?;
        let own = OwnStack::new(stack.limit().get(), stack.base().get());
        let state = State {
            inbox: Arc::clone(inbox),
            own: Cell::new(own),
            join: Cell::new(ptr::null()),
            innermost: Cell::new(0),
            at_end: RefCell::default(),
        };
        Ok(Self::new(stack, state))
    }
}
