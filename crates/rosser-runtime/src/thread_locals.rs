//! Thread-local variables, and what they own.
//!
//! In this run all tasks share one worker and so its thread-locals; on another schedule two
//! parallel tasks are either on one worker, one after the other, or on two, with two variables. So
//! conflicts on thread-locals, and on heap blocks that only thread-locals lead to, are no races.

use std::ffi::{c_int, c_void};

use crate::blocks;
use crate::checked;
use crate::stack::StackBounds;
use crate::system::{self, ObjectInfo, PT_TLS};

/// Where the executable's thread-local variables of the calling thread are: on x86-64 they end at
/// the thread pointer.
pub fn bounds() -> StackBounds {
    extern "C" fn size(object: *const ObjectInfo, _: usize, out: *mut c_void) -> c_int {
        // SAFETY: the loader gives valid objects, the executable first.
        let object = unsafe { &*object };
        for index in 0..usize::from(object.headers_len) {
            // SAFETY: within the headers.
            let header = unsafe { &*object.headers.add(index) };
            if header.kind == PT_TLS {
                let size = header.memory_size.next_multiple_of(header.align.max(1));
                // SAFETY: `out` is the number below.
                unsafe { *out.cast::<usize>() = size as usize };
            }
        }
        1
    }
    let mut bytes = 0_usize;
    // SAFETY: the callback takes what it is given.
    unsafe { system::dl_iterate_phdr(size, (&raw mut bytes).cast()) };
    let pointer: usize;
    // SAFETY: the thread pointer's first word is its own address.
    unsafe {
        std::arch::asm!("mov {}, fs:0", out(reg) pointer, options(nostack, preserves_flags));
    }
    StackBounds { low: pointer - bytes, high: pointer }
}

/// How far from a thread-local variable to look: this many blocks on the way, and words in all.
const DEPTH: usize = 4;
const WORDS: usize = 1 << 17;

/// Whether a block belongs to the thread: a thread-local variable leads to it, through at most
/// [`DEPTH`] other blocks, and neither a static nor what was on the stack before the first task
/// began does. Memory is full of words that look like addresses and old ones that no longer mean
/// anything, so the second condition is what keeps shared blocks from being taken for private ones.
pub fn own(locals: StackBounds, outer_stack: StackBounds, block: StackBounds) -> bool {
    unsafe extern "C" {
        /// Where the executable's variables begin, by courtesy of the linker.
        static __data_start: u8;
        /// Where they end.
        static _end: u8;
    }
    // Without the runtime's own state, which remembers blocks as well.
    let state = checked::state_bounds();
    let before = StackBounds { low: &raw const __data_start as usize, high: state.low };
    let after = StackBounds { low: state.high, high: &raw const _end as usize };
    let lead_to_block = |from| leads(from, block, DEPTH, &mut { WORDS });
    lead_to_block(locals) && ![outer_stack, before, after].into_iter().any(lead_to_block)
}

fn leads(from: StackBounds, block: StackBounds, depth: usize, budget: &mut usize) -> bool {
    let words = (from.low.next_multiple_of(8)..from.high & !7).step_by(8);
    for place in words {
        if *budget == 0 {
            return false;
        }
        *budget -= 1;
        // SAFETY: thread-local memory and live heap blocks may be read; no one else writes now.
        let word = unsafe { (place as *const usize).read_volatile() };
        if block.contains(word) {
            return true;
        }
        // A pointer may be to the middle of a block: that of a hash table is.
        if depth > 0
            && let Some(next) = blocks::near(word)
            && leads(next, block, depth - 1, budget)
        {
            return true;
        }
    }
    false
}
