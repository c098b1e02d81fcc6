//! Tasks on stacks of their own: what a task library tells when it switches between stacks.
//!
//! Who calls what, and when: see [`rosser_abi::executor`].
//!
//! On each stack the closures of a `join` may run as tasks inside each other, as ever; they wait and
//! go on with the task that the stack was started with, its base.

use rosser_abi::executor::{OwnStack, signature};
use rosser_abi::run_file::task;
use rosser_detect::storage::Exhausted;

use crate::backend::serial::other::Runs;
use crate::backtrace::{Here, frame_pointer};
use crate::checked::{self, Checked};
use crate::sites::{Callers, Sites};
use crate::stack::StackBounds;
use crate::stuck;

const _: signature::rosser_task_start = rosser_task_start;
const _: signature::rosser_task_ended = rosser_task_ended;
const _: signature::rosser_task_waits = rosser_task_waits;
const _: signature::rosser_task_resume = rosser_task_resume;

/// The result of telling the engine something, at `pc`.
pub fn ok<T>(result: Result<T, Exhausted>, pc: usize) -> T {
    stuck::unless_exhausted(result, || Here::at(pc))
}

/// A task is going to be started on a free stack, by the program at `pc`; the given scope joins it.
///
/// # Safety
/// Both stacks are valid; the resumer's is to be passed to the call that follows when it is back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_task_start(
    resumer: *mut OwnStack,
    own: *mut OwnStack,
    scope: u64,
    pc: usize,
) {
    // SAFETY: by the caller's promise.
    let (resumer, own) = unsafe { (&mut *resumer, &mut *own) };
    own.is_checked = false;
    // A scope of a thread that is not checked has no number.
    let Ok(scope) = u32::try_from(scope) else { return };
    let Some(checked) = checked::enter() else { return };
    checked.leave(resumer);
    let site = Sites::plain(pc);
    let number = ok(checked.engine.task_begin(task::SCOPE_SPAWN as u32, site, scope), pc);
    checked.tell_other_at(pc, |other| other.task_begin(number, scope, Runs::OnOwnStack));
    if let Some(frame) = checked.engine.frame_mut() {
        frame.note = own.high;
    }
    *own = OwnStack { lowest: own.high, current: number, base: number, is_checked: true, ..*own };
    checked.sites.set_task_elsewhere(number as usize, own.high, Callers::only(site));
    checked.note_begun();
    checked.go_on_at(own);
}

/// The task that was started or resumed last has ended, and its stack is free.
///
/// # Safety
/// The stacks are those of the call before the switch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_task_ended(resumer: *const OwnStack, own: *const OwnStack) {
    // SAFETY: by the caller's promise.
    let (resumer, own) = unsafe { (&*resumer, &*own) };
    let Some(checked) = checked_on(own) else { return };
    if checked.lowest < own.high {
        checked.forget(checked.lowest & !7, own.high);
    }
    checked.stop_watching(Here::at(0));
    ok(checked.engine.task_end(), 0);
    let next = checked.engine.current();
    checked.tell_other_at(0, |other| other.task_end(next));
    checked.go_on_at(resumer);
}

/// The stack that was started or resumed last waits.
///
/// # Safety
/// The stacks are those of the call before the switch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_task_waits(resumer: *const OwnStack, own: *mut OwnStack) {
    // SAFETY: by the caller's promise.
    let (resumer, own) = unsafe { (&*resumer, &mut *own) };
    let Some(checked) = checked_on(own) else { return };
    // While it waits others may be told where its variables are.
    checked.share_stack();
    checked.leave(own);
    ok(checked.engine.suspend(own.base), 0);
    let next = checked.engine.current();
    checked.tell_other_at(0, |other| other.waits(own.base, next));
    checked.go_on_at(resumer);
}

/// A stack that waits is going to go on.
///
/// # Safety
/// Both stacks are valid; the resumer's is to be passed to the call that follows when it is back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_task_resume(resumer: *mut OwnStack, own: *const OwnStack) {
    // SAFETY: by the caller's promise.
    let (resumer, own) = unsafe { (&mut *resumer, &*own) };
    let Some(checked) = checked_on(own) else { return };
    checked.leave(resumer);
    ok(checked.engine.resume(own.current, own.base), 0);
    checked.tell_other_at(0, |other| other.resume(own.current, own.base));
    checked.go_on_at(own);
}

/// The state, if the stack's task is checked. It runs on the thread that it was started on.
fn checked_on(own: &OwnStack) -> Option<&'static mut Checked> {
    // SAFETY: the thread that starts a checked task owns the state until the task has ended.
    own.is_checked.then(|| unsafe { checked::checked() })
}

impl Checked {
    /// Another stack is going to be used.
    fn leave(&mut self, stack: &mut OwnStack) {
        self.stop_watching(Here::at(0));
        (stack.low, stack.high) = (self.stack.low, self.stack.high);
        stack.lowest = self.lowest;
        stack.current = self.engine.current();
        if self.is_on_thread_stack() {
            self.thread_stack_used = frame_pointer();
        }
    }

    /// A stack is used from now on; the engine knows.
    fn go_on_at(&mut self, stack: &OwnStack) {
        self.stack = StackBounds { low: stack.low, high: stack.high };
        self.lowest = stack.lowest;
        self.sites.set_task(self.engine.current() as usize, None);
        self.set_limit();
        self.set_private();
        self.refresh();
    }

    /// From now on other tasks may know of variables on the current task's stack.
    pub fn share_stack(&mut self) {
        if let Some(frame) = self.engine.frame_mut() {
            frame.scopes = frame.scopes.saturating_add(1);
        }
        self.set_private();
    }
}
