//! Stacks, by walking frame pointers.
//!
//! The wrapper compiles everything with frame pointers, and so is the standard library. The walk
//! ends at the first frame that is not above the last one or not on the thread's stack: foreign
//! code without frame pointers shortens a stack, it cannot lead astray into unmapped memory.

use crate::stack::StackBounds;

/// Where in the program the runtime was called.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Here {
    /// An address within the calling instruction, or near the access it stands for.
    pub pc: usize,
    /// The stack of the runtime is below this address, that of the program above.
    pub sp: usize,
    /// The frame of the function that made the call, or 0 if that is not known.
    pub frame: usize,
}

impl Here {
    /// Of an entry point that found its return address at the given place.
    #[inline]
    pub fn returning_at(slot: usize) -> Self {
        // SAFETY: entry points pass the stack pointer they were called with.
        Self { pc: unsafe { *(slot as *const usize) } - 1, sp: slot, frame: 0 }
    }

    /// Of an entry point that was told where in the program it is called.
    #[inline(always)]
    pub fn at(pc: usize) -> Self {
        Self { pc, sp: frame_pointer(), frame: 0 }
    }

    /// As [`Self::returning_at`], in the function that the entry point has jumped to: it knows its caller's frame.
    #[inline(always)]
    pub fn of_entry(slot: usize) -> Self {
        let own = frame_pointer();
        // SAFETY: the frame pointer is the caller's until it is saved, right below the return
        // address.
        let frame = if own == slot - 8 { unsafe { *(own as *const usize) } } else { own };
        Self { frame, ..Self::returning_at(slot) }
    }

    /// The functions on the stack that are the program's, without the one that made the call.
    pub fn callers(self, stack: StackBounds) -> impl Iterator<Item = Caller> {
        callers(frame_pointer(), stack).skip_while(move |caller| caller.frame < self.sp)
    }
}

/// One function on the stack.
#[derive(Clone, Copy)]
pub struct Caller {
    /// Where it goes on.
    pub return_address: usize,
    /// Its frame: locals of the function it called are below this.
    pub frame: usize,
}

/// The frame pointer of the function this is inlined into.
#[inline(always)]
pub fn frame_pointer() -> usize {
    let frame;
    // SAFETY: reads a register.
    unsafe {
        std::arch::asm!("mov {}, rbp", out(reg) frame, options(nomem, nostack, preserves_flags));
    }
    frame
}

/// The callers of the function whose frame is given, innermost first.
pub fn callers(frame: usize, bounds: StackBounds) -> impl Iterator<Item = Caller> {
    let mut frame = frame;
    std::iter::from_fn(move || {
        if !frame.is_multiple_of(8) || frame < bounds.low || frame + 16 > bounds.high {
            return None;
        }
        // SAFETY: both words are on this thread's stack.
        let (next, return_address) =
            unsafe { (*(frame as *const usize), *((frame + 8) as *const usize)) };
        let caller = Caller { return_address, frame };
        // A frame that is not further up ends the walk after this caller.
        frame = if next > frame { next } else { 0 };
        (return_address > 0xffff).then_some(caller)
    })
}
