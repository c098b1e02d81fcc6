//! What the detector is told, and how: by C functions of the runtime that is linked into the program.
#![allow(unsafe_code, reason = "the detector has a C interface")]

use crate::runtime::Here;

pub(super) use crate::runtime::abi::{OwnStack, SetPoint};
use crate::runtime::abi::{
    rosser_isolated_begin, rosser_isolated_end, rosser_promise_get, rosser_promise_set,
    rosser_promise_set_again, rosser_scope_begin, rosser_scope_end, rosser_task_ended,
    rosser_task_resume, rosser_task_start, rosser_task_waits,
};

impl OwnStack {
    /// A stack in a part of memory.
    pub(super) fn new(low: usize, high: usize) -> Self {
        Self { low, high, ..Self::default() }
    }

    /// A task is going to be started on this stack.
    pub(super) fn start(&mut self, scope: u64, here: Here) -> Resumer {
        let mut resumer = OwnStack::default();
        // SAFETY: both are valid.
        unsafe { rosser_task_start(&raw mut resumer, self, scope, here.pc()) };
        Resumer(resumer)
    }

    /// The task on this stack, which waits, is going to go on.
    pub(super) fn resume(&self) -> Resumer {
        let mut resumer = OwnStack::default();
        // SAFETY: both are valid.
        unsafe { rosser_task_resume(&raw mut resumer, self) };
        Resumer(resumer)
    }
}

/// Who goes on when the task that it has started or resumed waits or ends.
pub(super) struct Resumer(OwnStack);

impl Resumer {
    /// It goes on: the task has ended.
    pub(super) fn back_at_end_of(self, own: &OwnStack) {
        // SAFETY: both are valid.
        unsafe { rosser_task_ended(&raw const self.0, own) }
    }

    /// It goes on: the task waits.
    pub(super) fn back_while_waits(self, own: &mut OwnStack) {
        // SAFETY: both are valid.
        unsafe { rosser_task_waits(&raw const self.0, own) }
    }
}

pub(super) fn scope_begin() -> u64 {
    // SAFETY: always allowed.
    unsafe { rosser_scope_begin() }
}

pub(super) fn scope_end(scope: u64) {
    // SAFETY: scopes end in the task that has begun them.
    unsafe { rosser_scope_end(scope) }
}

impl SetPoint {
    /// The current task sets a promise.
    pub(super) fn set(here: Here) -> Self {
        let mut point = Self::default();
        // SAFETY: it may be written.
        unsafe { rosser_promise_set(&raw mut point, here.pc()) };
        point
    }

    /// The current task has got the promise.
    pub(super) fn got(self, here: Here) {
        // SAFETY: it was written by the detector.
        unsafe { rosser_promise_get(&raw const self, here.pc()) }
    }

    /// The current task tries to set the promise, which is at the given address, once more.
    pub(super) fn set_again(self, address: usize, here: Here) {
        // SAFETY: it was written by the detector.
        unsafe { rosser_promise_set_again(&raw const self, address, here.pc()) }
    }
}

pub(super) fn isolated_begin(here: Here) {
    // SAFETY: always allowed.
    unsafe { rosser_isolated_begin(here.pc()) }
}

pub(super) fn isolated_end(here: Here) {
    // SAFETY: always allowed.
    unsafe { rosser_isolated_end(here.pc()) }
}
