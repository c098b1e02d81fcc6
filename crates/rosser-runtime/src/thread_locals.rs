//! Thread-local variables, and what they own.
//!
//! In this run all tasks share one worker and so its thread-locals; on another schedule two
//! parallel tasks are either on one worker, one after the other, or on two, with two variables. So
//! conflicts on thread-locals, and on heap blocks that only thread-locals lead to, are no races.

use crate::blocks;
use crate::checked;
use crate::stack::StackBounds;
use crate::system::{self, ObjectInfo, PT_TLS};

/// Where the executable's thread-local variables of the calling thread are: on x86-64 they end at
/// the thread pointer.
pub fn bounds() -> StackBounds {
    let mut bytes = None;
    system::each_object(|object| {
        // The executable comes first.
        bytes.get_or_insert_with(|| size(object, true));
    });
    let bytes = bytes.unwrap_or(0);
    let pointer: usize;
    // SAFETY: the thread pointer's first word is its own address.
    unsafe {
        std::arch::asm!("mov {}, fs:0", out(reg) pointer, options(nostack, preserves_flags));
    }
    StackBounds { low: pointer - bytes, high: pointer }
}

/// How many bytes of thread-local variables an object has.
fn size(object: &ObjectInfo, with_padding: bool) -> usize {
    let segment = object.headers().iter().find(|header| header.kind == PT_TLS);
    segment.map_or(0, |it| {
        let align = if with_padding { it.align.max(1) } else { 1 };
        it.memory_size.next_multiple_of(align) as usize
    })
}

/// Goes through the thread-local variables that the calling thread has of shared objects.
fn each_of_objects(mut tell: impl FnMut(StackBounds)) {
    system::each_object(|object| {
        if !object.name().is_empty() && !object.locals.is_null() {
            let low = object.locals as usize;
            tell(StackBounds { low, high: low + size(object, false) });
        }
    });
}

/// The thread-local variables of a shared object that an address is among, if they are the calling thread's.
pub fn of_object(address: usize) -> Option<StackBounds> {
    let mut found = None;
    each_of_objects(|locals| {
        if locals.contains(address) {
            found = Some(locals);
        }
    });
    found
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
        /// Where the executable's variables end.
        static _end: u8;
    }
    // Without the runtime's own state, which remembers blocks as well.
    let state = checked::state_bounds();
    let before = StackBounds { low: &raw const __data_start as usize, high: state.low };
    let after = StackBounds { low: state.high, high: &raw const _end as usize };
    let lead_to_block = |from| leads(from, block, DEPTH, &mut { WORDS });
    let mut is_led_to = lead_to_block(locals);
    each_of_objects(|locals| is_led_to = is_led_to || lead_to_block(locals));
    is_led_to && ![outer_stack, before, after].into_iter().any(lead_to_block)
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
