//! Plain accesses of a word, on one worker.

use rosser_detect::serial::judge::Judge;

use super::cells::hot;
use crate::access::bytes_of;
use crate::backtrace::Here;
use crate::checked::checked;
use crate::shadow::{cell_of, cell_under};

#[cfg(rosser_inline)]
pub(crate) use super::first_touch::called;
#[cfg(rosser_inline)]
pub use super::first_touch::{read as first_read_inlined, write as first_write_inlined};

/// Whether the present step has read or written these bytes before.
#[inline(always)]
pub fn was_accessed<const SIZE: usize>(address: usize) -> bool {
    let (mask, base) = hot();
    // SAFETY: the cell of every address is mapped; only the checked thread writes it.
    let cell = unsafe { &*cell_under(mask, address) };
    if SIZE == 8 {
        cell.accessor >= base && cell.accessor_mask == 0xff
    } else {
        // With checks off the one idle cell is full, whatever the offset.
        cell.has_accessed(base, bytes_of::<SIZE>(address))
    }
}

/// Whether the present step has written these bytes before.
#[inline(always)]
pub fn was_written<const SIZE: usize>(address: usize) -> bool {
    let (mask, base) = hot();
    // SAFETY: as above.
    let cell = unsafe { &*cell_under(mask, address) };
    if SIZE == 8 {
        cell.writer >= base && cell.writer_mask == 0xff
    } else {
        cell.has_written(base, bytes_of::<SIZE>(address))
    }
}

/// A read that its step has not made before. It was called from above `slot` and `frame`.
#[inline]
pub fn first_read<const SIZE: usize>(word: usize, slot: usize, frame: usize) {
    // SAFETY: with checks off the idle cell has every access take the fast path.
    let checked = unsafe { checked() };
    let here = Here { frame, ..Here::returning_at(slot) };
    let bytes = bytes_of::<SIZE>(word);
    // SAFETY: the cell is mapped and only this thread uses it.
    let cell = unsafe { &*cell_of(word) };
    if !checked.engine.judge.leave_to_others(cell)
        && !checked.touch_quickly(word, bytes, here, Judge::read_quickly)
    {
        checked.read_slowly(word, bytes);
    }
}

/// A write that its step has not made before. It was called from above `slot` and `frame`.
#[inline]
pub fn first_write<const SIZE: usize>(word: usize, slot: usize, frame: usize) {
    // SAFETY: as above.
    let checked = unsafe { checked() };
    let here = Here { frame, ..Here::returning_at(slot) };
    let bytes = bytes_of::<SIZE>(word);
    if !checked.touch_quickly(word, bytes, here, Judge::write_quickly) {
        checked.write_slowly(word, bytes);
    }
}
