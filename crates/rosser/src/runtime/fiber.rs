//! A stack on which tasks run, one after the other, until one of them has to wait.
//!
//! A fiber is a coroutine that runs a task, comes back, and takes the next: as long as nobody waits, a thread needs
//! one, and a task costs two switches and no stack. A task that waits keeps its fiber, and the thread takes another.
//!
//! A fiber never leaves the thread that made it. What is on its stack need not be `Send`, may point into thread-local
//! storage, and may be in the middle of a `rayon::join`.
//!
//! What a task is, why a fiber comes back, and what is remembered with it is up to the execution.
#![allow(unsafe_code, reason = "a coroutine is resumed while its own code looks at its fiber")]

use std::cell::{Cell, UnsafeCell};
use std::ptr::{self, NonNull};

use corosensei::{Coroutine, CoroutineResult, Yielder};

use crate::runtime::stack::Stack;

/// An execution, as far as its fibers differ from others.
pub(super) trait Execution: Sized + 'static {
    /// A task.
    type Task;
    /// Why a fiber came back.
    type Pause;
    /// What is remembered with a fiber.
    type State;

    /// The fiber that runs on the calling thread.
    fn current() -> Option<FiberRef<Self>>;

    /// Runs a task to its end, on the fiber. What comes of it is why the fiber comes back.
    fn run(task: Self::Task) -> Self::Pause;
}

/// What a fiber is resumed with.
enum Order<T> {
    Run(T),
    /// The task may go on.
    Continue,
    /// No more tasks: come to an end and give the stack back.
    Retire,
}

type Switch<E> = Yielder<Order<<E as Execution>::Task>, <E as Execution>::Pause>;
type Routine<E> = Coroutine<Order<<E as Execution>::Task>, <E as Execution>::Pause, (), Stack>;

/// A fiber.
struct Fiber<E: Execution> {
    state: E::State,
    switch: Cell<*const Switch<E>>,
    coroutine: UnsafeCell<Routine<E>>,
}

/// A fiber that is referred to. It is valid until the fiber retires.
pub(super) struct FiberRef<E: Execution>(NonNull<Fiber<E>>);

impl<E: Execution> Clone for FiberRef<E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E: Execution> Copy for FiberRef<E> {}

impl<E: Execution> PartialEq for FiberRef<E> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<E: Execution> std::fmt::Debug for FiberRef<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("FiberRef").field(&self.0).finish()
    }
}

impl<E: Execution> FiberRef<E> {
    /// A new fiber of the calling thread.
    pub(super) fn new(stack: Stack, state: E::State) -> Self {
        let coroutine =
            Coroutine::with_stack(stack, |switch: &Switch<E>, order| live::<E>(switch, order));
        let (switch, coroutine) = (Cell::new(ptr::null()), UnsafeCell::new(coroutine));
        Self(NonNull::from(Box::leak(Box::new(Fiber { state, switch, coroutine }))))
    }

    /// What is remembered with it.
    ///
    /// # Safety
    /// The fiber must not retire meanwhile. Of another thread only that may be looked at which can be shared.
    pub(super) unsafe fn get<'a>(self) -> &'a E::State {
        // SAFETY: fibers are freed by `retire` alone.
        &unsafe { self.0.as_ref() }.state
    }

    /// Runs a task until it ends or waits.
    ///
    /// # Safety
    /// The fiber must be vacant and belong to the calling thread.
    pub(super) unsafe fn run(self, task: E::Task) -> E::Pause {
        // SAFETY: as the caller promises.
        unsafe { self.resume(Order::Run(task)) }
    }

    /// Lets the task that waits go on until it ends or waits again.
    ///
    /// # Safety
    /// The fiber must belong to the calling thread and its task wait.
    pub(super) unsafe fn go_on(self) -> E::Pause {
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
    unsafe fn resume(self, order: Order<E::Task>) -> E::Pause {
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
    pub(super) unsafe fn pause(self, why: E::Pause) {
        // SAFETY: the fiber runs, so it lives.
        let switch = unsafe { self.0.as_ref() }.switch.get();
        // SAFETY: a fiber that runs has noted its switch, which lives at the bottom of its stack.
        unsafe { &*switch }.suspend(why);
    }
}

/// The life of a fiber.
fn live<E: Execution>(switch: &Switch<E>, mut order: Order<E::Task>) {
    while let Order::Run(task) = order {
        let fiber = E::current().expect("a fiber that runs is the current one");
        // SAFETY: it has a task, the one just given to it.
        unsafe { fiber.0.as_ref() }.switch.set(switch);
        order = switch.suspend(E::run(task));
    }
}
