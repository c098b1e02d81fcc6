//! Under the detector, however tasks are executed: where in the program something is done, and what is not
//! looked at.
#![allow(unsafe_code, reason = "the detector has a C interface")]

use crate::runtime::abi::{rosser_unseen_begin, rosser_unseen_end};

/// A place in the program's code.
#[derive(Clone, Copy, Debug)]
pub struct Here(usize);

impl Here {
    /// The place of the call: functions that have it inlined are inlined themselves, up to the
    /// program's own.
    #[inline(always)]
    pub(crate) fn now() -> Self {
        let pc;
        // SAFETY: reads a register.
        unsafe {
            std::arch::asm!("lea {}, [rip]", out(reg) pc, options(nomem, nostack, preserves_flags));
        }
        Self(pc)
    }

    /// A place that the caller knows.
    #[inline(always)]
    pub fn at(pc: usize) -> Self {
        Self(pc)
    }

    pub(super) fn pc(self) -> usize {
        self.0
    }
}

/// As long as it lives, what the thread does is not looked at.
pub(crate) struct Unseen(bool);

impl Unseen {
    #[inline(always)]
    pub(crate) fn begin() -> Self {
        // SAFETY: always allowed.
        Self(unsafe { rosser_unseen_begin() })
    }
}

impl Unseen {
    /// Accesses are looked at again.
    #[inline(always)]
    pub(crate) fn end(self) {
        drop(self);
    }
}

impl Drop for Unseen {
    #[inline(always)]
    fn drop(&mut self) {
        if self.0 {
            // SAFETY: it was begun.
            unsafe { rosser_unseen_end() }
        }
    }
}
