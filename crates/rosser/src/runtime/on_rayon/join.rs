//! Tasks that are waited for together: what a finish, a scope and a procedure have in common.
//!
//! The tasks of a join begin in the order in which they were spawned, whoever begins them: rayon's
//! queues hold only tickets, and a ticket is good for the oldest task of its join. So a task seldom
//! begins before the ones whose promises it waits for; taking the newest first, as a work-stealing
//! worker likes to, would start a long chain from its end and block every link of it. Between joins
//! the newest goes first, as usual.
#![allow(unsafe_code, reason = "tasks reach the join through a pointer")]

use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use super::event::Event;
use super::fiber::FiberRef;
use super::native;
use super::parker::Parker;
use super::root::Root;
use super::task::Task;
use super::wait::Stops;
use super::{Here, worker};
use crate::runtime;
use crate::runtime::body::{Body, Payload};

/// Who waits for a join.
enum Owner {
    Task(FiberRef),
    /// Part of a task that rayon has moved to another worker.
    Thread(Arc<Parker>),
}

pub(crate) struct Join {
    /// The tasks that have not ended, and one more while the owner is not waiting.
    ///
    /// Whoever lowers it does not touch the join any more, except who lowers it to zero: the owner
    /// then sleeps until woken.
    pending: AtomicUsize,
    /// Who waits; written before the owner gives up its count.
    owner: Cell<Option<Owner>>,
    /// Tasks that have not begun, oldest first. As many as there are tickets.
    queue: Mutex<Queue>,
    /// The first panic of a task.
    panic: Mutex<Option<Payload>>,
    root: *const Root,
}

// SAFETY: `owner` is written by the owner, and read by whoever lowers `pending` to zero, which
// happens after. `root` outlives the join, and is meant for all threads.
unsafe impl Sync for Join {}
// SAFETY: a join that nobody refers to is plain data.
unsafe impl Send for Join {}

impl Join {
    /// A join of the current task.
    pub(crate) fn new() -> Self {
        let fiber = worker::current_fiber().expect("`enter` comes first");
        // SAFETY: the fiber runs this very task.
        Self::with_root(unsafe { fiber.root() })
    }

    /// A join within another.
    pub(crate) fn within(outer: &Join) -> Self {
        Self::with_root(outer.root)
    }

    fn with_root(root: *const Root) -> Self {
        Self {
            pending: AtomicUsize::new(1),
            owner: Cell::new(None),
            queue: Mutex::default(),
            panic: Mutex::default(),
            root,
        }
    }

    pub(super) fn root(&self) -> *const Root {
        self.root
    }

    /// Starts a task. It belongs to `scope`, too, if there is one inside the join.
    ///
    /// # Safety
    /// The caller must be a task of the join or its owner, before the owner waits for the last time.
    /// What the body borrows, and the join itself, must live until a later [`wait`](Self::wait)
    /// has returned.
    #[track_caller]
    pub(crate) unsafe fn spawn<'a>(
        &self,
        _scope: Option<&Join>,
        _event: Option<&Event>,
        body: impl FnOnce() + Send + 'a,
        _: Here,
    ) {
        runtime::forbid_in_isolated("start a task");
        self.pending.fetch_add(1, Relaxed);
        // SAFETY: counted above; the rest is as the caller promises.
        let task = unsafe { Task::of_join(Box::new(body) as Body<'a>, self) };
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).push(task);
        let ticket = Ticket(self);
        // SAFETY: the root outlives its joins.
        unsafe { &*self.root }.give(move || ticket.redeem());
    }

    /// Waits until every task has ended, and those they have spawned. Tasks that nobody has begun
    /// are run here.
    pub(crate) fn wait(&self) {
        while self.has_tasks() && self.has_unbegun() && worker::help() {}
        if !self.has_tasks() {
            return;
        }
        if let Some(fiber) = worker::current_fiber() {
            self.owner.set(Some(Owner::Task(fiber)));
            if self.release() {
                worker::suspend(Stops::Counted);
            }
        } else {
            let parker = Arc::<Parker>::default();
            self.owner.set(Some(Owner::Thread(Arc::clone(&parker))));
            if self.release() {
                native::wait(&parker);
            }
        }
        self.pending.store(1, Relaxed);
    }

    /// The owner will start more tasks after having waited.
    #[expect(clippy::unused_self, reason = "it is the detector that wants to know")]
    pub(crate) fn reopen(&self) {}

    /// Gives up the owner's count. Says whether it will be woken.
    fn release(&self) -> bool {
        // AcqRel: the last task sees the owner; the owner sees what the tasks have done.
        self.pending.fetch_sub(1, AcqRel) != 1
    }

    pub(crate) fn take_panic(&self) -> Option<Payload> {
        self.panic.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Notes a panic, unless there was one before.
    pub(crate) fn note_panic(&self, payload: Payload) {
        self.panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(payload);
    }

    /// # Safety
    /// `this` must count the task that calls it. It may be gone afterwards.
    pub(super) unsafe fn task_ended(this: *const Self, panic: Option<Payload>) {
        // SAFETY: counted, so it lives.
        let join = unsafe { &*this };
        if let Some(payload) = panic {
            join.note_panic(payload);
        }
        // AcqRel: what this task did is before what the owner does next.
        if join.pending.fetch_sub(1, AcqRel) == 1 {
            // The owner sleeps until it is woken here, so the join is still there.
            match join.owner.take().expect("an owner that gives up its count waits") {
                Owner::Task(fiber) => worker::wake(fiber, Stops::Counted),
                Owner::Thread(parker) => parker.unpark(),
            }
        }
    }

    /// Counts something that is not spawned here but waited for here.
    pub(crate) fn add(&self) {
        self.pending.fetch_add(1, Relaxed);
    }

    /// The counterpart of [`add`](Self::add).
    pub(crate) fn remove(&self, panic: Option<Payload>) {
        // SAFETY: `add` has counted the caller.
        unsafe { Self::task_ended(self, panic) }
    }

    fn has_tasks(&self) -> bool {
        self.pending.load(Acquire) > 1
    }

    fn has_unbegun(&self) -> bool {
        !self.queue.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}

/// First in, first out. Most joins have one task at a time, which needs no memory of its own.
#[derive(Default)]
struct Queue {
    first: Option<Task>,
    rest: VecDeque<Task>,
}

impl Queue {
    fn push(&mut self, task: Task) {
        if self.is_empty() {
            self.first = Some(task);
        } else {
            self.rest.push_back(task);
        }
    }

    fn pop(&mut self) -> Option<Task> {
        self.first.take().or_else(|| self.rest.pop_front())
    }

    fn is_empty(&self) -> bool {
        self.first.is_none() && self.rest.is_empty()
    }
}

/// The right to begin one task of a join.
struct Ticket(*const Join);

// SAFETY: a join is meant to be reached from every thread.
unsafe impl Send for Ticket {}

impl Ticket {
    fn redeem(self) {
        // SAFETY: as long as there is a ticket there is a task in the queue, which the join counts.
        let join = unsafe { &*self.0 };
        let task = join.queue.lock().unwrap_or_else(PoisonError::into_inner).pop();
        worker::begin(task.expect("a task for every ticket"));
    }
}
