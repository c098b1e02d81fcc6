//! The workers, and the tasks that wait for one.
//!
//! Each worker has a queue: it adds and takes tasks at one end, and others that have nothing to do take
//! the oldest at the other end. A worker that waits for a task does others meanwhile, on top of its stack.
//!
//! As soon as there are futures, it does only what it waits for: tasks of the very scope. What is on top
//! of a task has to end before the task goes on, so if that is nothing but what the task waits for anyhow,
//! all that holds anybody up are dependences of the program, which has no cycle of them if its futures
//! are structured. Whoever waits at the end of such a chain finds what he waits for in a queue.

use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::ptr::null_mut;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicUsize};
use std::sync::{Condvar, Mutex, PoisonError};

use rosser_abi::run_file::header;
use rosser_detect::sf_order::shared::WORKERS;
use rosser_detect::sf_order::spin::Spin;
use rosser_detect::sf_order::worker::{Ended, Scope, Start};

use super::checked;
use super::futures::{self, Future};
use super::rooms::Rooms;
use super::stacks::Origin;
use super::{tasks, threads};
use crate::backtrace::Here;
use crate::forks::TaskFn;
use crate::sites::Callers;
use crate::{run_file, stuck, system};

/// A task that can be run by anybody.
#[derive(Clone, Copy)]
pub struct Job {
    pub body: TaskFn,
    pub data: *mut (),
    pub start: Start,
    /// Where it was forked, and who has called that.
    pub pc: usize,
    pub outside: Callers,
    /// Whoever waits for it.
    pub origin: Origin,
    pub joined_by: JoinedBy,
    /// Null if it is not to be got.
    pub future: *mut Future,
}

/// Who waits for a task.
#[derive(Clone, Copy)]
pub enum JoinedBy {
    /// One that has forked two.
    Join(*const Join),
    /// A scope.
    Scope(*const OpenScope),
    /// Nobody.
    Nobody,
}

/// What somebody who has forked two tasks waits for.
#[derive(Default)]
pub struct Join {
    pub is_done: AtomicBool,
    pub ended: UnsafeCell<Ended>,
}

/// A scope with what it waits for.
pub struct OpenScope {
    pub scope: Scope,
    pub pending: AtomicUsize,
    /// Where it was opened.
    pub origin: Origin,
    /// Where the tasks begin in its owner's queue that were forked since it was opened.
    pub above: usize,
}

static ROOMS: Rooms<OpenScope> = Rooms::new();

impl OpenScope {
    /// Memory for a scope, which is not on the program's heap.
    pub fn room() -> *mut Self {
        ROOMS.take()
    }

    /// The scope has ended.
    pub fn give_back(scope: *mut Self) {
        ROOMS.give_back(scope);
    }
}

/// How many tasks can wait for one worker.
const LONGEST: usize = 1 << 22;
/// How much stack a worker has.
const STACK: usize = 1 << 30;

/// The tasks that a worker has forked and nobody has begun.
struct Queue {
    lock: Spin,
    /// The place of the oldest task.
    head: AtomicUsize,
    /// The place after that of the newest task.
    tail: AtomicUsize,
    /// Some have been taken out of the middle.
    jobs: AtomicPtr<MaybeUninit<Option<Job>>>,
}

static QUEUES: [Queue; WORKERS] = [const {
    Queue {
        lock: Spin::new(),
        head: AtomicUsize::new(0),
        tail: AtomicUsize::new(0),
        jobs: AtomicPtr::new(null_mut()),
    }
}; WORKERS];

// Head, tail and memory change under the lock, and are relaxed there. What is read without it is a hint (W4).
impl Queue {
    /// Adds a task, if there is room. Returns where it is.
    fn push(&self, job: Job) -> Option<usize> {
        let _held = self.lock.lock();
        let (head, tail) = (self.head.load(Relaxed), self.tail.load(Relaxed));
        if tail - head >= LONGEST {
            return None;
        }
        // SAFETY: within the reserved memory; the lock is held.
        unsafe { self.jobs().add(tail % LONGEST).write(MaybeUninit::new(Some(job))) };
        // Release: the hint comes after the task, though whoever follows it takes the lock.
        self.tail.store(tail + 1, Release);
        Some(tail)
    }

    /// Takes the newest task, if it is not before the given place.
    fn pop(&self, above: usize) -> Option<Job> {
        self.pop_if(above, |_| true)
    }

    /// Takes the newest task, if it is not before the given place and is wanted.
    fn pop_if(&self, above: usize, is_wanted: impl Fn(&Job) -> bool) -> Option<Job> {
        let _held = self.lock.lock();
        let (head, mut tail) = (self.head.load(Relaxed), self.tail.load(Relaxed));
        while tail > head.max(above) {
            // SAFETY: between head and tail; the lock is held.
            let newest = unsafe { self.at(tail - 1) };
            if newest.as_ref().is_some_and(|job| !is_wanted(job)) {
                return None;
            }
            tail -= 1;
            self.tail.store(tail, Relaxed);
            if newest.is_some() {
                return newest.take();
            }
        }
        None
    }

    /// Takes the oldest task.
    fn steal(&self) -> Option<Job> {
        if self.head.load(Relaxed) >= self.tail.load(Acquire) {
            return None;
        }
        let _held = self.lock.lock();
        let (mut head, tail) = (self.head.load(Relaxed), self.tail.load(Relaxed));
        while head < tail {
            // SAFETY: between head and tail; the lock is held.
            let oldest = unsafe { self.at(head) }.take();
            head += 1;
            self.head.store(head, Relaxed);
            if oldest.is_some() {
                return oldest;
            }
        }
        None
    }

    /// Takes the task at a place, if it is still there.
    fn take_at(&self, place: usize) -> Option<Job> {
        let _held = self.lock.lock();
        let (head, tail) = (self.head.load(Relaxed), self.tail.load(Relaxed));
        // SAFETY: between head and tail; the lock is held.
        if (head..tail).contains(&place) { unsafe { self.at(place) }.take() } else { None }
    }

    /// Takes the oldest task that is wanted, wherever it is.
    fn find(&self, is_wanted: impl Fn(&Job) -> bool) -> Option<Job> {
        if self.head.load(Relaxed) >= self.tail.load(Acquire) {
            return None;
        }
        let _held = self.lock.lock();
        let (head, tail) = (self.head.load(Relaxed), self.tail.load(Relaxed));
        // SAFETY: between head and tail; the lock is held.
        let mut places = (head..tail).map(|place| unsafe { self.at(place) });
        places.find(|job| job.as_ref().is_some_and(&is_wanted)).and_then(Option::take)
    }

    /// What is at a place.
    ///
    /// # Safety
    /// It is between head and tail, the lock is held, and nobody else looks at it.
    #[allow(clippy::mut_from_ref, reason = "the lock is held")]
    unsafe fn at(&self, place: usize) -> &mut Option<Job> {
        // SAFETY: something was put there.
        unsafe { (*self.jobs().add(place % LONGEST)).assume_init_mut() }
    }

    /// The memory of the tasks. The lock is held.
    fn jobs(&self) -> *mut MaybeUninit<Option<Job>> {
        let jobs = self.jobs.load(Relaxed);
        if !jobs.is_null() {
            return jobs;
        }
        let jobs: &mut [MaybeUninit<Option<Job>>] = system::reserve_slice(LONGEST);
        self.jobs.store(jobs.as_mut_ptr(), Relaxed);
        jobs.as_mut_ptr()
    }

    fn len(&self) -> usize {
        self.tail.load(Relaxed)
    }
}

/// How many regions have begun, for workers that have nothing to do.
static REGIONS: Mutex<u64> = Mutex::new(0);
static BEGUN: Condvar = Condvar::new();
/// Whether a region is under way.
static UNDER_WAY: AtomicBool = AtomicBool::new(false);
/// Whether there ever was a task that nobody joins: it is parallel with all that follows.
static DETACHED: AtomicBool = AtomicBool::new(false);
static STARTED: AtomicBool = AtomicBool::new(false);
/// Numbers for the threads.
static NEXT: AtomicU32 = AtomicU32::new(1);

/// A region begins: the workers have something to do.
pub fn wake() {
    if checked::workers() == 1 {
        return;
    }
    // Before the count: see W5.
    UNDER_WAY.store(true, Release);
    if !STARTED.swap(true, Relaxed) {
        for _ in 1..checked::workers() {
            threads::create(work, STACK);
        }
    }
    *REGIONS.lock().unwrap_or_else(PoisonError::into_inner) += 1;
    BEGUN.notify_all();
}

/// Nothing is open any more. Returns whether the region is over: not if there are tasks that nobody joins.
pub fn rest() -> bool {
    let is_over = !DETACHED.load(Relaxed);
    if is_over {
        UNDER_WAY.store(false, Relaxed);
    }
    is_over
}

/// Where the tasks will be in the queue of a worker that it forks from now on.
pub fn top(number: usize) -> usize {
    QUEUES[number].len()
}

/// A task is going to be run, and whoever joins it waits from now on.
pub fn expect(job: &Job) {
    match job.joined_by {
        JoinedBy::Join(_) => {}
        // SAFETY: a scope is open while tasks are forked into it. Relaxed: it is not over yet (W3).
        JoinedBy::Scope(scope) => drop(unsafe { &*scope }.pending.fetch_add(1, Relaxed)),
        JoinedBy::Nobody => {
            // Relaxed: before this task is joined, and so before the region can be over (W4).
            DETACHED.store(true, Relaxed);
            run_file::add(header::OPEN, 1);
        }
    }
}

/// Offers a task to all workers. Returns where it is in the queue, or `None` if the caller has to run it.
pub fn offer(number: usize, job: Job) -> Option<usize> {
    QUEUES[number].push(job)
}

/// Starts a task: offers it to all, or runs it.
pub fn start(job: Job) {
    expect(&job);
    let checked = checked::here();
    if checked.runs_alone() || offer(checked.number, job).is_none() {
        run(&job);
    }
}

/// Takes back the newest task that the worker has offered, if it is not before the given place.
pub fn take_back(number: usize, above: usize) -> Option<Job> {
    QUEUES[number].pop(above)
}

/// Takes back the task that the worker has offered at a place.
pub fn take_back_at(number: usize, place: usize) -> Option<Job> {
    QUEUES[number].take_at(place)
}

/// Takes a future that was begun out of the queue of a worker, if it is the newest there. Others are
/// passed over when their turn comes.
pub fn forget_newest(number: usize, future: &Future) {
    let is_it = |job: &Job| std::ptr::eq(job.future, future);
    if let Some(job) = QUEUES[number].pop_if(0, is_it) {
        // SAFETY: its place in the queue is gone.
        unsafe { Future::give_up(job.future) };
    }
}

/// What a worker waits for.
#[derive(Clone, Copy)]
pub enum Waits {
    /// A task that another has taken.
    ForTask,
    /// The tasks of a scope; those that it has forked since it was opened are not before the place.
    ForScope(*const OpenScope, usize),
}

/// Does what others have offered until something is so. Tasks of the worker's own that were forked since
/// it opened the scope are done first. If there are futures, nothing else is done than the scope's tasks.
pub fn work_until(number: usize, waits: Waits, is_so: impl Fn() -> bool) {
    let mut tries = 0;
    while !is_so() {
        let found = if futures::in_use() {
            find_awaited(number, waits, tries)
        } else {
            let above = if let Waits::ForScope(_, above) = waits { above } else { usize::MAX };
            QUEUES[number].pop(above).or_else(|| steal(number))
        };
        match found {
            Some(job) => {
                run(&job);
                tries = 0;
            }
            None => idle(&mut tries),
        }
    }
}

/// Waits until something is so.
pub fn wait_until(is_so: impl Fn() -> bool) {
    let mut tries = 0;
    while !is_so() {
        idle(&mut tries);
    }
}

/// Finds a task that is waited for: the worker's newest, as a rule, and now and then any.
fn find_awaited(number: usize, waits: Waits, tries: u32) -> Option<Job> {
    /// Queues may be long.
    const SELDOM: u32 = 64;
    let Waits::ForScope(scope, above) = waits else { return None };
    let is_awaited =
        |job: &Job| matches!(job.joined_by, JoinedBy::Scope(other) if std::ptr::eq(other, scope));
    QUEUES[number].pop_if(above, is_awaited).or_else(|| {
        let workers = if tries % SELDOM == SELDOM / 2 { checked::workers() } else { 0 };
        (0..workers).find_map(|distance| QUEUES[(number + distance) % workers].find(is_awaited))
    })
}

/// Takes a task from another worker.
fn steal(number: usize) -> Option<Job> {
    let workers = checked::workers();
    (1..workers).find_map(|distance| QUEUES[(number + distance) % workers].steal())
}

/// Runs a task that was taken from a queue, unless it is a future that somebody has begun.
pub fn run(job: &Job) {
    // SAFETY: the place in the queue owns it until now.
    let Some(future) = (unsafe { job.future.as_ref() }) else { return run_begun(job) };
    if future.begin() {
        run_begun(job);
    }
    // SAFETY: its place in the queue is gone.
    unsafe { Future::give_up(job.future) };
}

/// Runs a task that nobody else runs and tells whoever waits for it, which is the last that is done about
/// it.
pub fn run_begun(job: &Job) {
    let ended = tasks::run_elsewhere(job);
    // SAFETY: the caller sees to it that it lives.
    if let Some(future) = unsafe { job.future.as_ref() } {
        future.end(ended);
    }
    match job.joined_by {
        JoinedBy::Join(join) => {
            // SAFETY: whoever waits for the task keeps it.
            let join = unsafe { &*join };
            // SAFETY: nobody reads it before it is done.
            unsafe { *join.ended.get() = ended };
            // The last that is done about the task (W3).
            join.is_done.store(true, Release);
        }
        JoinedBy::Scope(scope) => {
            // SAFETY: the scope is open as long as tasks are pending.
            let OpenScope { scope, pending, .. } = unsafe { &*scope };
            let result = checked::here().worker.absorb(scope, &job.start, ended);
            stuck::unless_exhausted(result, || Here::at(job.pc));
            // As above: the scope may be gone right after.
            pending.fetch_sub(1, Release);
        }
        JoinedBy::Nobody => run_file::count_down(header::OPEN),
    }
}

/// Waits a little: busily at first.
fn idle(tries: &mut u32) {
    *tries = tries.saturating_add(1);
    match *tries {
        0..=100 => std::hint::spin_loop(),
        101..=400 => std::thread::yield_now(),
        _ => std::thread::sleep(std::time::Duration::from_micros(20)),
    }
}

/// What a worker does.
extern "C" fn work(_: *mut std::ffi::c_void) -> *mut std::ffi::c_void {
    let number = NEXT.fetch_add(1, Relaxed) as usize;
    let mut seen = 0;
    checked::become_worker(number);
    loop {
        let mut tries = 0;
        // Relaxed: whoever is about to sleep looks again under the lock (W5).
        while UNDER_WAY.load(Relaxed) || tries < 400 {
            match steal(number) {
                Some(job) => {
                    run(&job);
                    tries = 0;
                }
                None => idle(&mut tries),
            }
        }
        let mut regions = REGIONS.lock().unwrap_or_else(PoisonError::into_inner);
        while *regions == seen {
            regions = BEGUN.wait(regions).unwrap_or_else(PoisonError::into_inner);
        }
        seen = *regions;
    }
}
