//! Fork and join, for replacements of task libraries.
//!
//! Task functions come with their types erased and never unwind. Today they are run at once, child
//! first, on the calling thread; how they are run is this module's business alone.
//!
//! When a task has ended, the histories of the stack below its entry are forgotten: the next task
//! will use the same addresses for other variables. For the second half of a `join` that is not
//! needed, because what follows comes after it.

use rosser_abi::checks::Kind;
use rosser_abi::executor::{UNCHECKED, signature};
use rosser_abi::run_file::{stop, task};
use rosser_detect::order::ScopeNumber;
use rosser_detect::serial::running::Frame;
use rosser_detect::storage::Exhausted;

use crate::backend::serial::other::Runs;
use crate::backtrace::Here;
use crate::checked::{self, Checked};
use crate::forks::TaskFn;
use crate::left_out::is_left_out;
use crate::sites::Sites;
use crate::stuck;

const _: signature::rosser_worker = rosser_worker;
const _: signature::rosser_workers = rosser_workers;
const _: signature::rosser_inline = rosser_inline;

/// The number of the worker that the calling thread is: there is but one.
#[unsafe(no_mangle)]
pub extern "C" fn rosser_worker() -> usize {
    0
}

/// How many workers there are.
#[unsafe(no_mangle)]
pub extern "C" fn rosser_workers() -> usize {
    1
}

/// Says whether tasks that the calling thread forks are to run on it, one after the other: they do.
#[unsafe(no_mangle)]
pub extern "C" fn rosser_inline(_on: bool) -> bool {
    false
}

pub fn ok<T>(result: Result<T, Exhausted>, slot: usize) -> T {
    stuck::unless_exhausted(result, || Here::returning_at(slot))
}

pub extern "C" fn join(a: TaskFn, a_data: *mut (), b: TaskFn, b_data: *mut (), slot: usize) {
    let told = if is_left_out(Kind::Join) { None } else { checked::enter() };
    let Some(checked) = told else {
        // SAFETY: by the caller's promise.
        unsafe {
            a(a_data);
            b(b_data);
        }
        return;
    };
    checked.open();
    let scope = ok(checked.engine.scope_begin(), slot);
    checked.tell_other(slot, |other| other.scope_begin(scope));
    // SAFETY: by the caller's promise.
    unsafe {
        run(task::JOIN_FIRST, scope, a, a_data, true, slot);
        run(task::JOIN_SECOND, scope, b, b_data, false, slot);
    }
    end_scope(scope, slot);
}

pub extern "C" fn spawn(kind: u64, scope: u64, body: TaskFn, data: *mut (), slot: usize) {
    match u32::try_from(scope) {
        Ok(scope) if !is_left_out(Kind::Spawn) && checked::enter().is_some() => {
            let is_detached = scope == 0;
            if is_detached && let Some(checked) = checked::enter() {
                checked.open();
            }
            // SAFETY: by the caller's promise.
            unsafe { run(kind, scope, body, data, true, slot) };
            if is_detached && let Some(checked) = checked::enter() {
                checked.close();
            }
            if let Some(checked) = checked::if_following() {
                checked.rest();
            }
        }
        // SAFETY: by the caller's promise.
        _ => unsafe { body(data) },
    }
}

pub extern "C" fn scope_begin(slot: usize) -> u64 {
    let Some(checked) = checked::enter() else { return UNCHECKED };
    checked.open();
    count_scopes(checked, |scopes| scopes + 1);
    let scope = ok(checked.engine.scope_begin(), slot);
    checked.tell_other(slot, |other| other.scope_begin(scope));
    scope.into()
}

/// The current task opens or ends a scope by itself: it goes on while its children run.
fn count_scopes(checked: &mut Checked, change: impl FnOnce(u32) -> u32) {
    if let Some(frame) = checked.engine.frame_mut() {
        frame.scopes = change(frame.scopes);
    }
    checked.set_private();
}

pub extern "C" fn scope_end(scope: u64, slot: usize) {
    if is_left_out(Kind::ScopeEnd) {
        return;
    }
    if let Ok(scope) = u32::try_from(scope) {
        end_scope(scope, slot);
        if let Some(checked) = checked::if_following() {
            count_scopes(checked, |scopes| scopes.saturating_sub(1));
        }
    }
}

pub fn end_scope(scope: ScopeNumber, slot: usize) {
    // Checks may be off in between, when nothing is parallel; the thread is still the owner.
    if let Some(checked) = checked::enter() {
        checked.close();
        ok(checked.engine.scope_end(scope), slot);
        checked.tell_other(slot, |other| other.scope_end(scope));
        checked.rest();
    }
}

pub extern "C" fn worker_local(slot: usize) {
    if let Some(checked) = checked::if_following() {
        ok(checked.engine.ask_for_worker(Sites::plain(Here::returning_at(slot).pc)), slot);
        checked.refresh();
    }
}

pub extern "C" fn blocked(slot: usize) -> ! {
    stuck::stop(stop::BLOCKED, Here::returning_at(slot))
}

/// Runs a task.
///
/// # Safety
/// The body may be called with the data; the calling thread is the one that is checked.
unsafe fn run(
    kind: u64,
    scope: ScopeNumber,
    body: TaskFn,
    data: *mut (),
    forget: bool,
    slot: usize,
) {
    // SAFETY: by the caller's promise.
    let checked = unsafe { checked::checked() };
    let outer_lowest = begin(checked, kind, scope, slot);
    // SAFETY: by the caller's promise. The state is not borrowed while the body runs.
    unsafe { body(data) };
    // SAFETY: by the caller's promise; a task ends on the thread it began on.
    let checked = unsafe { checked::checked() };
    end(checked, outer_lowest, forget, slot);
}

/// Begins a task. Returns what its parent had as the lowest stack address.
#[inline(always)]
fn begin(checked: &mut Checked, kind: u64, scope: ScopeNumber, slot: usize) -> usize {
    begin_at(checked, kind, scope, Sites::plain(Here::returning_at(slot).pc), slot)
}

/// Begins a task that was spawned at a site. Returns what its parent had as the lowest stack address.
#[inline(never)]
pub fn begin_at(
    checked: &mut Checked,
    kind: u64,
    scope: ScopeNumber,
    site: u32,
    slot: usize,
) -> usize {
    // The task's own stack frames will be below this one.
    let entry = crate::backtrace::frame_pointer();
    let number = ok(checked.engine.task_begin(kind as u32, site, scope), slot);
    checked.tell_other(slot, |other| other.task_begin(number, scope, Runs::OnTop));
    if let Some(frame) = checked.engine.frame_mut() {
        frame.note = entry;
    }
    // SAFETY: this function keeps its caller's frame where its own frame points to.
    let caller = unsafe { *(entry as *const usize) };
    checked.sites.set_task(checked.engine.current() as usize, Some(caller));
    checked.note_begun();
    checked.refresh();
    let outer_lowest = std::mem::replace(&mut checked.lowest, entry);
    checked.set_limit();
    checked.set_private();
    outer_lowest
}

#[inline(never)]
pub fn end(checked: &mut Checked, outer_lowest: usize, forget: bool, slot: usize) {
    let entry = checked.engine.frame_mut().map_or(0, |frame: &mut Frame| frame.note);
    let mut lowest = checked.lowest;
    if forget && lowest < entry {
        checked.forget(lowest & !7, entry);
        lowest = entry;
    }
    checked.lowest = outer_lowest.min(lowest);
    checked.stop_watching(Here::returning_at(slot));
    checked.set_limit();
    ok(checked.engine.task_end(), slot);
    let next = checked.engine.current();
    checked.tell_other(slot, |other| other.task_end(next));
    checked.sites.set_task(checked.engine.current() as usize, None);
    checked.set_private();
    checked.refresh();
}
