//! Cells of the serial engine. Only the checked thread uses them, and whoever has a word to itself.

use std::cell::Cell as StdCell;

use crate::shadow::{cell_of, mask_if, with_hot};

pub use rosser_detect::serial::cell::Cell;

/// Which ids are the present step's.
pub struct Own {
    /// They are not below this one.
    pub base: StdCell<u32>,
}

impl Own {
    /// Of a thread that is not checked.
    pub const fn idle() -> Self {
        Self { base: StdCell::new(0) }
    }
}

/// The mask and the base of this thread.
#[inline(always)]
pub fn hot() -> (usize, u32) {
    with_hot(|hot| (hot.mask.get(), hot.own.base.get()))
}

/// Sets what the access path of this thread compares with; checks are on if `on`.
#[inline]
pub fn set_hot(on: bool, base: u32) {
    with_hot(|hot| {
        hot.mask.set(mask_if(on));
        hot.own.base.set(base);
    });
}

/// Accesses of this thread are not to be checked now.
pub fn look_away() {
    set_hot(false, 0);
}

/// Fills the one cell that every access meets while checks are off.
///
/// # Safety
/// It is mapped, and nobody uses it yet.
pub unsafe fn fill_idle(cell: *mut Cell) {
    // SAFETY: by the caller's promise.
    unsafe { cell.write(Cell::UNMONITORED) };
}

/// From now on accesses of a word are not looked at. A thread that is not checked may do this as well:
/// with memory of its own, which no other thread uses at this time.
pub fn leave_unmonitored(address: usize) {
    // SAFETY: the cell is mapped.
    unsafe { cell_of(address).write(Cell::UNMONITORED) };
}

/// Accesses of a word are looked at again, if they were not.
pub fn monitor_again(address: usize) {
    // SAFETY: the cell is mapped.
    unsafe {
        let cell = cell_of(address);
        if *cell == Cell::UNMONITORED {
            cell.write(Cell::default());
        }
    }
}
