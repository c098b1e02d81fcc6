//! Futures: tasks that are got, once, beside being joined by a scope.
//!
//! Whoever gets a future that nobody has begun runs it himself, and else waits idly. Meanwhile nothing else
//! runs on top of him: that could wait for something that is suspended below it, for ever. For the
//! same reason a worker that waits for a scope or a join is choosy about what it does as soon as there are
//! futures; see [`pool`].
//!
//! A future's place in the queue may outlive the future, and the other way round. So its state is the
//! runtime's own, and goes when both are gone.

use std::cell::UnsafeCell;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU32};

use rosser_abi::executor::{Future as Opaque, UNCHECKED, signature};
use rosser_abi::run_file::task;
use rosser_detect::sf_order::worker::{Ended, Start};
use rosser_detect::{Construct, DetectorKind};

use super::checked;
use super::pool::{self, Job, JoinedBy, OpenScope};
use super::rooms::Rooms;
use crate::backtrace::Here;
use crate::forks::TaskFn;
use crate::sites::{Callers, Sites};
use crate::stuck;

const _: signature::rosser_library_spawn = rosser_library_spawn;
const _: signature::rosser_future_spawn = rosser_future_spawn;
const _: signature::rosser_future_is_done = rosser_future_is_done;
const _: signature::rosser_future_get = rosser_future_get;
const _: signature::rosser_future_drop = rosser_future_drop;

/// A future.
pub struct Future {
    job: Job,
    /// The region that it is of; 0 if it was run where it was created, unchecked.
    region: usize,
    is_begun: AtomicBool,
    is_done: AtomicBool,
    ended: UnsafeCell<Ended>,
    /// The place in the queue, and the program.
    owners: AtomicU32,
}

static ROOMS: Rooms<Future> = Rooms::new();

/// Whether there ever was one.
static IN_USE: AtomicBool = AtomicBool::new(false);

/// Whether there may be futures.
///
/// Relaxed: a task that was forked after the first future was created, and all it forks, is taken from a
/// queue, under whose lock this becomes known. Tasks that others are wrongly put on top of were there before
/// any future, so that no future can wait for them.
pub fn in_use() -> bool {
    IN_USE.load(Relaxed)
}

impl Future {
    /// Whether the caller is the one who runs it.
    pub fn begin(&self) -> bool {
        // One of two gets it (W1). The task itself has come to both by the queue or by the program.
        !self.is_begun.swap(true, AcqRel)
    }

    /// It has ended. Said by the one who has run it.
    pub fn end(&self, ended: Ended) {
        // SAFETY: nobody reads it before it is done.
        unsafe { *self.ended.get() = ended };
        // The last that is done about it (W3).
        self.is_done.store(true, Release);
    }

    /// One of its two owners gives it up.
    ///
    /// # Safety
    /// It is not used by that owner any more.
    pub unsafe fn give_up(this: *mut Self) {
        // Release: the owner has done with it. Acquire: so has the other, when the room is given back.
        // SAFETY: the caller is an owner until now.
        if unsafe { &*this }.owners.fetch_sub(1, AcqRel) == 1 {
            ROOMS.give_back(this);
        }
    }
}

/// A task of a scope that is open.
fn job(
    scope: u64,
    body: TaskFn,
    data: *mut (),
    start: Start,
    pc: usize,
    future: *mut Future,
) -> Job {
    let open = scope as *const OpenScope;
    // SAFETY: by the promise of whoever spawns.
    let origin = unsafe { &*open }.origin;
    let outside = Callers::only(Sites::plain(pc));
    let joined_by = JoinedBy::Scope(open);
    Job { body, data, start, pc, outside, origin, joined_by, future }
}

/// Starts a task of a scope for the task library, at `pc`.
///
/// # Safety
/// The body may be called with its data, by any thread, until the scope ends.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_library_spawn(scope: u64, body: TaskFn, data: *mut (), pc: usize) {
    let checked = if scope == UNCHECKED { None } else { checked::enter() };
    let Some(checked) = checked else {
        // SAFETY: by the caller's promise.
        return unsafe { body(data) };
    };
    let result = checked.worker.spawn(Some(scope), task::SCOPE_SPAWN as u32, Sites::plain(pc));
    let start = stuck::unless_exhausted(result, || Here::at(pc));
    checked.refresh();
    pool::start(job(scope, body, data, start, pc, std::ptr::null_mut()));
}

/// Starts a task of a scope whose value is wanted. To be given back with [`rosser_future_drop`].
///
/// # Safety
/// The body may be called with its data, by any thread, until the scope ends.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_future_spawn(
    scope: u64,
    body: TaskFn,
    data: *mut (),
    pc: usize,
) -> *mut Opaque {
    let checked = if scope == UNCHECKED { None } else { checked::enter() };
    let Some(checked) = checked else {
        // SAFETY: by the caller's promise.
        unsafe { body(data) };
        return std::ptr::null_mut();
    };
    IN_USE.store(true, Relaxed);
    let result = checked.worker.spawn_future(task::SCOPE_SPAWN as u32, Sites::plain(pc));
    let start = stuck::unless_exhausted(result, || Here::at(pc));
    // Whoever gets it may be told where variables of the current task are.
    checked.share_stack();
    checked.refresh();
    let future = ROOMS.take();
    let job = job(scope, body, data, start, pc, future);
    // SAFETY: it is nobody else's yet.
    unsafe {
        future.write(Future {
            job,
            region: checked::region(),
            is_begun: AtomicBool::new(false),
            is_done: AtomicBool::new(false),
            ended: UnsafeCell::default(),
            owners: AtomicU32::new(2),
        });
    }
    pool::start(job);
    future.cast()
}

/// Whether a future has ended, so that nobody has to wait for it.
///
/// # Safety
/// It was not given back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_future_is_done(future: *const Opaque) -> bool {
    // SAFETY: by the caller's promise.
    unsafe { future.cast::<Future>().as_ref() }.is_none_or(|future| future.is_done.load(Acquire))
}

/// Waits for a future; the current task gets it at `pc`.
///
/// # Safety
/// It was not given back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_future_get(future: *const Opaque, pc: usize) {
    // SAFETY: by the caller's promise.
    let Some(future) = (unsafe { future.cast::<Future>().as_ref() }) else { return };
    let following = checked::if_following().filter(|_| future.region == checked::region());
    let Some(checked) = following else {
        // Of a region that is over, or for somebody who is no task.
        return pool::wait_until(|| future.is_done.load(Acquire));
    };
    if !checked.worker.may_get(&future.job.start) {
        stuck::refuse(Construct::Unstructured, DetectorKind::SfOrder, Here::at(pc));
    }
    if future.begin() {
        pool::forget_newest(checked.number, future);
        pool::run_begun(&future.job);
    } else {
        pool::wait_until(|| future.is_done.load(Acquire));
    }
    let checked = checked::here();
    // SAFETY: it is done, so nobody writes it any more.
    let ended = unsafe { *future.ended.get() };
    stuck::unless_exhausted(checked.worker.get(&future.job.start, ended), || Here::at(pc));
    checked.refresh();
}

/// The program does not need a future any more.
///
/// # Safety
/// It was not given back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_future_drop(future: *mut Opaque) {
    if !future.is_null() {
        // SAFETY: by the caller's promise.
        unsafe { Future::give_up(future.cast()) };
    }
}
