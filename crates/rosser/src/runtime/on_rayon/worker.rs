//! What a thread does with tasks: begin them, suspend them, wake them, resume them.
//!
//! # How a task comes to run
//!
//! Rayon's worker takes a ticket from its own queue or steals one, and calls [`begin`]. That puts
//! the task on a fiber and switches to it. When it comes back, because the task has ended or is
//! blocked, tasks that have been woken meanwhile are resumed from the same place; then control goes
//! back to rayon, which looks for the next ticket, and puts the thread to sleep if there is none. A
//! task that waits for its own children calls rayon from its fiber, so all this may happen on top of
//! a fiber just as well as on the thread's own stack.
//!
//! # How a blocked task comes to run again
//!
//! Only on the thread that began it. On that very thread [`wake`] leaves it to the `begin` further
//! down the stack. From elsewhere it goes into the thread's inbox, and a *bell* is rung: a rayon
//! broadcast, the one kind of job that reaches a certain worker, asleep or waiting in a `join`. A
//! bell that has not been heard yet serves all wake-ups that follow.
#![allow(unsafe_code, reason = "fibers are switched")]

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ptr;
use std::sync::Arc;

use rayon_core::Yield;

use super::fiber::{FiberRef, Pause};
use super::home::{Home, Neighbours, Woken};
use super::root::Root;
use super::task::Task;
use super::wait::{Stops, Wait};
use super::{native, stalled};

/// How many vacant fibers a thread keeps. Enough for the nesting of any sensible recursion.
const VACANT: usize = 64;

thread_local! {
    static WORKER: Worker = Worker::new();
}

struct Worker {
    home: Arc<Home>,
    /// The fiber whose stack is in use, if it is not the thread's own.
    current: Cell<Option<FiberRef>>,
    /// How many calls of `begin` and `answer_bell` are on the stack, over all fibers.
    depth: Cell<usize>,
    /// Tasks of this thread that may go on.
    ready: RefCell<VecDeque<Woken>>,
    vacant: RefCell<Vec<FiberRef>>,
    neighbours: RefCell<Neighbours>,
    /// Set while the thread is in an isolated section: no task may run on it.
    isolated: Cell<bool>,
    /// What rayon asked for meanwhile.
    postponed: RefCell<Vec<Task>>,
    missed_bell: Cell<bool>,
}

/// The fiber that runs the caller, if the caller is part of a task.
pub(super) fn current_fiber() -> Option<FiberRef> {
    WORKER.with(|worker| worker.current.get())
}

/// A turn has been given to whoever takes it.
pub(super) fn note_given() {
    WORKER.with(|worker| worker.home.given.count());
}

/// Runs a task until it ends or blocks, and then whatever has been woken here.
pub(super) fn begin(task: Task) {
    WORKER.with(|worker| {
        if worker.isolated.get() {
            worker.postponed.borrow_mut().push(task);
            return;
        }
        worker.nested(|| worker.run(task));
    });
}

/// Resumes what has been woken from elsewhere.
pub(super) fn answer_bell() {
    WORKER.with(|worker| {
        if worker.isolated.get() {
            worker.missed_bell.set(true);
            return;
        }
        worker.home.release_bell_rope();
        worker.home.collect(&mut worker.ready.borrow_mut());
        worker.nested(|| {});
    });
}

/// Does something useful on behalf of a task that waits for its children. Says whether there was
/// something to do.
pub(super) fn help() -> bool {
    WORKER.with(Worker::resume_ready) || rayon_core::yield_local() == Some(Yield::Executed)
}

/// Suspends the current task until it is [woken](wake).
pub(super) fn suspend(stops: Stops) {
    let fiber = current_fiber().expect("only a task can be suspended");
    // SAFETY: the caller runs on the current fiber's stack.
    unsafe { fiber.pause(Pause::Blocked(stops)) }
}

/// Lets a suspended task go on, or one that is about to be suspended on this thread. To be called
/// once for each [`suspend`], with the same `stops`.
pub(super) fn wake(fiber: FiberRef, stops: Stops) {
    // SAFETY: the fiber's task is blocked until it is resumed by its own thread, which is this one, or
    // does not know of it before it is posted. A task's root lives as long as the task.
    let (home, root) = unsafe { (&fiber.get().home, &*fiber.root()) };
    WORKER.with(|worker| {
        if stops == Stops::Counted {
            worker.home.given.count();
        }
        if Arc::ptr_eq(home, &worker.home) {
            worker.ready.borrow_mut().push_back(Woken { fiber, stops });
            // The task at hand may wait, in rayon, for a worker that waits for the one just woken.
            let others_wait = native::waiting_workers() > usize::from(root.awaited_by_worker);
            if (worker.depth.get() == 0 || others_wait) && home.take_bell_rope() {
                worker.ring(root);
            }
        } else {
            // From when it is posted until the bell has been rung, the task may run and end.
            let (home, hold) = (Arc::clone(home), root.hold());
            home.post(Woken { fiber, stops });
            if home.take_bell_rope() {
                worker.ring(hold.root());
            }
        }
    });
}

/// Runs `f` while the wait is in the list of what is blocked on this thread.
pub(super) fn with_blocked(wait: &Arc<Wait>, f: impl FnOnce()) {
    let home = WORKER.with(|worker| Arc::clone(&worker.home));
    home.add_blocked(wait);
    f();
    home.remove_blocked(wait);
}

/// Whether the thread is in an isolated section.
pub(super) fn is_isolated() -> bool {
    WORKER.with(|worker| worker.isolated.get())
}

/// Marks the thread as being in an isolated section.
///
/// Returns nothing if it was already.
pub(super) fn enter_isolated() -> Option<Isolated> {
    WORKER.with(|worker| (!worker.isolated.replace(true)).then_some(Isolated))
}

pub(super) struct Isolated;

impl Drop for Isolated {
    fn drop(&mut self) {
        WORKER.with(|worker| {
            worker.isolated.set(false);
            // Left to rayon, and not done here: the section may be left by a panic.
            if worker.missed_bell.replace(false) {
                rayon_core::spawn_broadcast(|_| answer_bell());
            }
            for task in worker.postponed.take() {
                rayon_core::spawn(move || begin(task));
            }
        });
    }
}

impl Worker {
    fn new() -> Self {
        Self {
            home: Home::register(),
            current: Cell::new(None),
            depth: Cell::new(0),
            ready: RefCell::default(),
            vacant: RefCell::default(),
            neighbours: RefCell::default(),
            isolated: Cell::new(false),
            postponed: RefCell::default(),
            missed_bell: Cell::new(false),
        }
    }

    /// Makes every worker of the root's pool look into its inbox.
    fn ring(&self, root: &Root) {
        // SAFETY: the current fiber runs the caller, so it has a task.
        let own = self.current.get().map(|current| unsafe { current.root() });
        if own == Some(ptr::from_ref(root)) {
            // This is a worker of the right pool; and the root need not wait for the bell to be heard.
            rayon_core::spawn_broadcast(|_| answer_bell());
        } else {
            root.ring();
        }
    }

    /// Does something, then resumes all that is ready, and looks whether anything is left.
    fn nested(&self, first: impl FnOnce()) {
        self.depth.set(self.depth.get() + 1);
        first();
        while self.resume_ready() {}
        self.depth.set(self.depth.get() - 1);
        if self.home.is_idle() && self.neighbours.borrow_mut().seem_idle() {
            stalled::check();
        }
    }

    fn run(&self, task: Task) {
        self.home.taken.count();
        let vacant = self.vacant.borrow_mut().pop();
        match vacant.map_or_else(|| FiberRef::of(&self.home), Ok) {
            // SAFETY: the fiber is new, or was vacant; and it is ours.
            Ok(fiber) => self.switch_to(fiber, || unsafe { fiber.start(task) }),
            Err(error) => {
                task.fail(error.into_panic());
                self.home.stopped.count();
            }
        }
    }

    /// Resumes one task that has been woken, if there is any.
    fn resume_ready(&self) -> bool {
        let mut ready = self.ready.borrow_mut();
        if self.home.may_have_post() {
            self.home.collect(&mut ready);
        }
        let Some(Woken { fiber, stops }) = ready.pop_front() else { return false };
        drop(ready);
        if stops == Stops::Counted {
            self.home.taken.count();
        }
        // SAFETY: the fiber's task was blocked here and has been woken, once.
        self.switch_to(fiber, || unsafe { fiber.go_on() });
        true
    }

    fn switch_to(&self, fiber: FiberRef, switch: impl FnOnce() -> Pause) {
        let before = self.current.replace(Some(fiber));
        let pause = switch();
        self.current.set(before);
        match pause {
            Pause::Blocked(Stops::Uncounted) => {}
            Pause::Blocked(Stops::Counted) => self.home.stopped.count(),
            Pause::Vacant => {
                self.home.stopped.count();
                self.keep(fiber);
            }
        }
    }

    fn keep(&self, fiber: FiberRef) {
        let mut vacant = self.vacant.borrow_mut();
        if vacant.len() < VACANT {
            vacant.push(fiber);
        } else {
            drop(vacant);
            // SAFETY: the fiber is ours and has no task.
            unsafe { fiber.retire() }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.home.retire();
        for fiber in self.vacant.take() {
            // SAFETY: the fiber is ours and has no task.
            unsafe { fiber.retire() }
        }
    }
}
