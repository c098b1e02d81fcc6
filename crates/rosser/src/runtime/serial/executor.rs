//! Starting, putting aside and resuming tasks of a thread.
#![allow(unsafe_code, reason = "fibers are switched")]

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use super::detector::{self, Resumer};
use super::event::Wait;
use super::fiber::{FiberRef, Pause};
use super::join::Join;
use super::others::{self, Active, Inbox};
use crate::runtime::Here;
use crate::runtime::body::Body;
use crate::runtime::deadlock::Deadlock;
use crate::runtime::threads;

/// How many vacant fibers a thread keeps.
const VACANT: usize = 256;

thread_local! {
    static EXECUTOR: Executor = Executor::default();
}

#[derive(Default)]
struct Executor {
    inbox: Arc<Inbox>,
    /// The fiber whose stack is in use, if it is not the thread's own.
    current: Cell<Option<FiberRef>>,
    /// Whether the thread is inside a finish or procedure.
    inside: Cell<bool>,
    /// The innermost scope that is open on the thread's own stack.
    innermost: Cell<u64>,
    vacant: RefCell<Vec<FiberRef>>,
    /// The gets that wait, in the order in which they began to; what has gone on is left in for a
    /// while.
    waiting: RefCell<Vec<Arc<Wait>>>,
    isolated: Cell<bool>,
}

/// The fiber that runs the caller, if it is not on the thread's own stack.
pub(super) fn current_fiber() -> Option<FiberRef> {
    EXECUTOR.with(|executor| executor.current.get())
}

/// The calling thread's.
pub(super) fn inbox() -> Arc<Inbox> {
    EXECUTOR.with(|executor| Arc::clone(&executor.inbox))
}

/// Makes a scope the innermost one that is open in the current task. Returns what was.
pub(super) fn replace_innermost(scope: u64) -> u64 {
    EXECUTOR.with(|executor| match executor.current.get() {
        // SAFETY: it runs the caller.
        Some(fiber) => unsafe { fiber.get() }.innermost.replace(scope),
        None => executor.innermost.replace(scope),
    })
}

/// Does something when the current task has ended.
pub(super) fn at_end(f: Box<dyn FnOnce()>) {
    // SAFETY: it runs the caller.
    let fiber = current_fiber().map(|fiber| unsafe { fiber.get() });
    fiber.expect("only a task can end").at_end.borrow_mut().push(f);
}

/// Until it is dropped, the thread is inside a finish or procedure.
#[inline(never)]
pub(super) fn enter() -> Option<Inside> {
    EXECUTOR.with(|executor| (!executor.inside.replace(true)).then(|| Inside(Active::begin())))
}

pub(super) struct Inside(#[allow(dead_code, reason = "what counts is that it lives")] Active);

impl Drop for Inside {
    #[inline(never)]
    fn drop(&mut self) {
        EXECUTOR.with(|executor| executor.inside.set(false));
    }
}

/// Starts a task of a join, which counts it, and comes back when it has ended or waits.
///
/// # Safety
/// The join must live until it has been told of the task's end, and so must what the body borrows.
pub(super) unsafe fn start(body: Body<'static>, join: *const Join, scope: u64, here: Here) {
    EXECUTOR.with(|executor| {
        let vacant = executor.vacant.borrow_mut().pop();
        let fiber = match vacant.map_or_else(|| FiberRef::of(&executor.inbox), Ok) {
            Ok(fiber) => fiber,
            Err(error) => {
                drop(body);
                // SAFETY: as the caller promises.
                let owner = unsafe { Join::task_ended(join, Some(error.into_panic())) };
                owner.into_iter().for_each(resume);
                return;
            }
        };
        // SAFETY: the fiber is ours.
        let state = unsafe { fiber.get() };
        state.join.set(join);
        state.innermost.set(0);
        let mut own = state.own.get();
        let resumer = own.start(scope, here);
        state.own.set(own);
        // SAFETY: the fiber is new, or was vacant; and it is ours.
        let next = executor.switch(fiber, resumer, || unsafe { fiber.run(body) });
        next.into_iter().for_each(resume);
    });
}

/// Lets a task of this thread that waits go on, and comes back when it has ended or waits again.
#[inline(never)]
pub(super) fn resume(fiber: FiberRef) {
    EXECUTOR.with(|executor| {
        // Each may be the last that another has waited for.
        let mut next = Some(fiber);
        while let Some(fiber) = next {
            // SAFETY: a fiber whose task waits lives.
            let resumer = unsafe { fiber.get() }.own.get().resume();
            // SAFETY: the fiber is ours, and its task waits.
            next = executor.switch(fiber, resumer, || unsafe { fiber.go_on() });
        }
    });
}

/// Lets a task that waits go on: now, or when its thread gets to it.
pub(super) fn wake(fiber: FiberRef) {
    // SAFETY: a fiber whose task waits lives.
    let inbox = unsafe { &fiber.get().inbox };
    if Arc::ptr_eq(inbox, &self::inbox()) {
        resume(fiber);
    } else {
        inbox.put(fiber);
    }
}

/// Puts the current task aside until it is woken.
pub(super) fn wait_on(fiber: FiberRef) {
    // SAFETY: the caller runs on the current fiber's stack.
    unsafe { fiber.pause(Pause::Waits) }
}

/// Waits on the thread's own stack: all tasks have ended or wait. `done` says whether what is waited
/// for has happened. Ends without that if there is a deadlock: then all gets that wait have been told,
/// and what is given back is about the caller's own, if that is a get.
#[inline(never)]
pub(super) fn wait_on_thread(
    done: impl Fn() -> bool,
    own: Option<&Arc<Wait>>,
) -> Option<Arc<Deadlock>> {
    EXECUTOR.with(|executor| {
        while !done() {
            if let Some(fiber) = executor.inbox.take() {
                resume(fiber);
            } else if executor.is_stalled() {
                let deadlock = executor.tell_deadlock(own);
                if own.is_some() && deadlock.is_some() {
                    return deadlock;
                }
            } else {
                executor.inbox.sleep();
            }
        }
        None
    })
}

/// Notes a get that waits.
pub(super) fn note_waiting(wait: &Arc<Wait>) {
    EXECUTOR.with(|executor| {
        let mut waiting = executor.waiting.borrow_mut();
        if waiting.len() == waiting.capacity() {
            waiting.retain(|wait| !wait.is_over());
        }
        waiting.push(Arc::clone(wait));
    });
}

impl Executor {
    /// Switches to a fiber. Returns whom the end of its task lets go on.
    fn switch(
        &self,
        fiber: FiberRef,
        resumer: Resumer,
        switch: impl FnOnce() -> Pause,
    ) -> Option<FiberRef> {
        let before = self.current.replace(Some(fiber));
        let pause = switch();
        self.current.set(before);
        // SAFETY: the fiber is ours.
        let state = unsafe { fiber.get() };
        match pause {
            Pause::Ended(panic) => {
                resumer.back_at_end_of(&state.own.get());
                let (join, at_end) = (state.join.get(), state.at_end.take());
                self.keep(fiber);
                for f in at_end {
                    f();
                }
                // SAFETY: the join counts the task until it is told.
                unsafe { Join::task_ended(join, panic) }
            }
            Pause::Waits => {
                let mut own = state.own.get();
                resumer.back_while_waits(&mut own);
                state.own.set(own);
                None
            }
        }
    }

    fn keep(&self, fiber: FiberRef) {
        let mut vacant = self.vacant.borrow_mut();
        if vacant.len() < VACANT {
            vacant.push(fiber);
        } else {
            // SAFETY: the fiber is ours and has no task.
            unsafe { fiber.retire() }
        }
    }

    /// Whether nothing that the thread's tasks wait for can happen any more. All of them wait.
    fn is_stalled(&self) -> bool {
        if self.inside.get() {
            others::while_inactive(others::nothing_goes_on)
        } else {
            others::nothing_goes_on() && threads::all_others_sleep()
        }
    }

    /// Lets every get that waits, of the thread's tasks and its own, fail.
    fn tell_deadlock(&self, own: Option<&Arc<Wait>>) -> Option<Arc<Deadlock>> {
        let mut waiting = self.waiting.take();
        waiting.retain(|wait| !wait.is_over());
        if waiting.is_empty() && own.is_none() {
            // Something else is waited for: a thread outside has to end a task.
            self.inbox.sleep();
            return None;
        }
        let places: Vec<_> = waiting.iter().chain(own).map(|wait| wait.places).collect();
        let deadlock = Deadlock::new(places.into_iter());
        for wait in waiting {
            wait.fail(&deadlock);
        }
        Some(deadlock)
    }
}

impl Drop for Executor {
    fn drop(&mut self) {
        for fiber in self.vacant.take() {
            // SAFETY: the fiber is ours and has no task.
            unsafe { fiber.retire() }
        }
    }
}

/// Whether the thread is in an isolated section.
pub(super) fn is_isolated() -> bool {
    EXECUTOR.with(|executor| executor.isolated.get())
}

/// Begins an isolated section, unless the thread is in one.
#[inline(never)]
pub(super) fn begin_isolated(here: Here) -> Option<Isolated> {
    EXECUTOR.with(|executor| {
        (!executor.isolated.replace(true)).then(|| {
            detector::isolated_begin(here);
            Isolated(here)
        })
    })
}

/// Ends the section when it is dropped.
pub(super) struct Isolated(Here);

impl Drop for Isolated {
    #[inline(never)]
    fn drop(&mut self) {
        EXECUTOR.with(|executor| executor.isolated.set(false));
        detector::isolated_end(self.0);
    }
}
