//! Fork and join: called by the replacement of rayon-core.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Acquire;

use rosser_abi::executor::{UNCHECKED, signature};
use rosser_abi::run_file::{stop, task};
use rosser_detect::sf_order::worker::{Current, Ended};
use rosser_detect::storage::Exhausted;

use super::atomics::Tries;
use super::pool::{self, Job, Join, JoinedBy, OpenScope, Waits};
use super::stacks::{Begin, Origin};
use super::{cells, checked, futures};
use crate::backtrace::{Here, frame_pointer};
use crate::forks::TaskFn;
use crate::sites::Sites;
use crate::stuck;

const _: signature::rosser_worker = rosser_worker;
const _: signature::rosser_workers = rosser_workers;
const _: signature::rosser_inline = rosser_inline;

/// The number of the worker that the calling thread is.
#[unsafe(no_mangle)]
pub extern "C" fn rosser_worker() -> usize {
    checked::if_following().map_or(0, |checked| checked.number)
}

/// How many workers there are.
#[unsafe(no_mangle)]
pub extern "C" fn rosser_workers() -> usize {
    checked::workers()
}

/// Says whether tasks that the calling thread forks are to run on it, one after the other. Returns
/// whether they were until now.
#[unsafe(no_mangle)]
pub extern "C" fn rosser_inline(on: bool) -> bool {
    checked::if_following().is_some_and(|checked| std::mem::replace(&mut checked.is_inline, on))
}

fn ok<T>(result: Result<T, Exhausted>, slot: usize) -> T {
    stuck::unless_exhausted(result, || Here::returning_at(slot))
}

fn site_of(slot: usize) -> u32 {
    Sites::plain(Here::returning_at(slot).pc)
}

pub extern "C" fn join(a: TaskFn, a_data: *mut (), b: TaskFn, b_data: *mut (), slot: usize) {
    let Some(checked) = checked::enter() else {
        // SAFETY: by the caller's promise.
        unsafe {
            a(a_data);
            b(b_data);
        }
        return;
    };
    checked.open();
    let join = Join::default();
    let tags = [task::JOIN_FIRST as u32, task::JOIN_SECOND as u32];
    let id = &raw const join as u64;
    let ([a_start, b_start], next) = ok(checked.worker.fork_two(id, tags, site_of(slot)), slot);
    let joined_by = JoinedBy::Join(&raw const join);
    let pc = Here::returning_at(slot).pc;
    let outside = checked.sites.outside_of_child(slot - 8, checked.stack);
    let origin = Origin::here(checked, slot - 8);
    let future = std::ptr::null_mut();
    let first =
        Job { body: a, data: a_data, start: a_start, pc, outside, origin, joined_by, future };
    let second = Job { body: b, data: b_data, start: b_start, ..first };
    let place = if checked.runs_alone() { None } else { pool::offer(checked.number, second) };
    let a_ended = run_here(&first);
    let b_ended = match place {
        None => run_here(&second),
        Some(place) => run_or_await(&second, &join, place),
    };
    let checked = checked::here();
    ok(checked.worker.join_two(next, [a_ended, b_ended]), slot);
    checked.refresh();
    checked.close();
}

/// Runs the second of two tasks, which was offered to others, or waits until another worker has.
fn run_or_await(second: &Job, join: &Join, place: usize) -> Ended {
    let number = checked::here().number;
    if futures::in_use() {
        if pool::take_back_at(number, place).is_some() {
            return run_here(second);
        }
    } else {
        while let Some(job) = pool::take_back(number, place) {
            match job.joined_by {
                JoinedBy::Join(other) if std::ptr::eq(other, join) => return run_here(second),
                // Forked by the first one into a scope further out.
                _ => pool::run(&job),
            }
        }
    }
    // Acquire: what the task has done, and how it ended, is there (W3).
    pool::work_until(number, Waits::ForTask, || join.is_done.load(Acquire));
    // SAFETY: it is done, so nobody writes it any more.
    unsafe { *join.ended.get() }
}

pub extern "C" fn spawn(kind: u64, scope: u64, body: TaskFn, data: *mut (), slot: usize) {
    let checked = if scope == UNCHECKED { None } else { checked::enter() };
    let Some(checked) = checked else {
        // SAFETY: by the caller's promise.
        return unsafe { body(data) };
    };
    let id = (scope != 0).then_some(scope);
    let start = ok(checked.worker.spawn(id, kind as u32, site_of(slot)), slot);
    checked.refresh();
    let open = scope as *const OpenScope;
    let joined_by = if scope == 0 { JoinedBy::Nobody } else { JoinedBy::Scope(open) };
    let (pc, future) = (Here::returning_at(slot).pc, std::ptr::null_mut());
    let outside = checked.sites.outside_of_child(slot - 8, checked.stack);
    // SAFETY: by the caller's promise the scope is open.
    let origin = unsafe { open.as_ref() }.map_or_else(Origin::default, |open| open.origin);
    pool::start(Job { body, data, start, pc, outside, origin, joined_by, future });
}

pub extern "C" fn scope_begin(slot: usize) -> u64 {
    let Some(checked) = checked::enter() else { return UNCHECKED };
    checked.open();
    let above = pool::top(checked.number);
    // Its address is its number, so it is there before the scope begins.
    let room = OpenScope::room();
    let scope = ok(checked.worker.scope_begin(room as u64), slot);
    // SAFETY: it is nobody else's.
    unsafe {
        // The frame of the function that has opened it: it will end it.
        let origin = Origin::here(checked, *((slot - 8) as *const usize));
        room.write(OpenScope { scope, pending: AtomicUsize::new(0), origin, above });
    }
    checked.scopes += 1;
    checked.set_private();
    room as u64
}

pub extern "C" fn scope_end(scope: u64, slot: usize) {
    if scope == UNCHECKED {
        return;
    }
    let open = scope as *mut OpenScope;
    // SAFETY: by the caller's promise.
    let OpenScope { scope, pending, above, .. } = unsafe { &*open };
    let waits = Waits::ForScope(open, *above);
    // Acquire, from every decrement: all tasks of the scope are over (W3).
    pool::work_until(checked::here().number, waits, || pending.load(Acquire) == 0);
    let checked = checked::here();
    ok(checked.worker.scope_end(scope), slot);
    OpenScope::give_back(open);
    checked.scopes -= 1;
    checked.set_private();
    checked.refresh();
    checked.close();
}

pub extern "C" fn worker_local(slot: usize) {
    // What is done unseen is right whoever runs it.
    if let Some(checked) = checked::if_on() {
        ok(checked.worker.ask_for_worker(site_of(slot)), slot);
        checked.refresh();
    }
}

pub extern "C" fn blocked(slot: usize) -> ! {
    stuck::stop(stop::BLOCKED, Here::returning_at(slot))
}

/// What the task around a new one had.
struct Outer {
    current: Current,
    entry: usize,
    lowest: usize,
    scopes: u32,
    tries: Tries,
}

/// Runs a task that the current one has forked and waits for, on top of it.
fn run_here(job: &Job) -> Ended {
    let outer = begin(job, true);
    // SAFETY: by the promise of whoever has forked the task.
    unsafe { (job.body)(job.data) };
    end(&outer, true, job)
}

/// Runs a task on top of one that has nothing to do with it.
pub fn run_elsewhere(job: &Job) -> Ended {
    let outer = begin(job, false);
    // SAFETY: by the promise of whoever has forked the task.
    unsafe { (job.body)(job.data) };
    end(&outer, false, job)
}

/// Begins a task on top of the current one, which may have forked it.
#[inline(never)]
fn begin(job: &Job, is_child: bool) -> Outer {
    // The task's own stack frames will be below this one.
    let entry = frame_pointer();
    let checked = checked::here();
    if checked.lowest < entry {
        // What tasks have left there that may be parallel with this one.
        checked.forget(checked.lowest & !7, entry);
        checked.lowest = entry;
    }
    if !checked.worker.is_up_to_date() {
        checked.worker.enter_region();
    }
    let result = checked.worker.begin(&job.start);
    let current = stuck::unless_exhausted(result, || Here::at(job.pc));
    if !is_child {
        checked.worker.begin_run();
    }
    let outer = Outer {
        current,
        entry,
        lowest: std::mem::replace(&mut checked.lowest, entry),
        scopes: std::mem::take(&mut checked.scopes),
        tries: std::mem::take(&mut checked.tries),
    };
    let elsewhere = if is_child { None } else { Some((job.pc, job.origin)) };
    checked.push_task(Begin { entry, elsewhere });
    if is_child {
        // SAFETY: this function keeps its caller's frame where its own frame points to.
        let caller = unsafe { *(entry as *const usize) };
        checked.sites.set_task(checked.depth, Some(caller));
    } else {
        checked.sites.set_task_elsewhere(checked.depth, entry, job.outside);
        checked.sites.set_task(checked.depth, None);
    }
    checked.set_private();
    checked.refresh();
    outer
}

/// Ends a task. Of a child's stack nothing need be forgotten: nobody uses it before the join but other
/// tasks, which begin with forgetting it.
#[inline(never)]
fn end(outer: &Outer, is_child: bool, job: &Job) -> Ended {
    let checked = checked::here();
    let Outer { current, entry, lowest, scopes, tries } = *outer;
    if !is_child && checked.lowest < entry {
        checked.forget(checked.lowest & !7, entry);
        checked.lowest = entry;
    }
    checked.lowest = lowest.min(checked.lowest);
    (checked.scopes, checked.tries) = (scopes, tries);
    checked.depth -= 1;
    checked.sites.set_task(checked.depth, None);
    checked.set_private();
    let result = checked.worker.end(current);
    let ended = stuck::unless_exhausted(result, || Here::at(job.pc));
    if !is_child {
        checked.worker.begin_run();
    }
    if checked.depth == 0 && !checked.is_first() {
        cells::look_away();
    } else {
        checked.refresh();
    }
    ended
}
