//! Cells of SF-Order. They are in blocks, each with a lock: several workers use them at the same time.

use std::cell::Cell as StdCell;

use rosser_detect::sf_order::cell::{BLOCK, Block, Contents, Own as OwnIds};

use crate::layout::{SHADOW, SHADOW_LEN};
use crate::shadow::{cell_of, mask_if, with_hot};
use crate::system;

pub use rosser_detect::sf_order::cell::Cell;

/// Which ids are the present step's: other workers have ids, too.
pub struct Own {
    /// They are not below this one.
    pub base: StdCell<u32>,
    /// How many there can be.
    pub len: StdCell<u32>,
}

impl Own {
    /// Of a thread that is not checked: the idle cell is everybody's own.
    pub const fn idle() -> Self {
        Self { base: StdCell::new(OwnIds::ALL.base), len: StdCell::new(OwnIds::ALL.len) }
    }
}

/// The mask and the ids of this thread's present step.
#[inline(always)]
pub fn hot_own() -> (usize, OwnIds) {
    with_hot(|hot| (hot.mask.get(), OwnIds { base: hot.own.base.get(), len: hot.own.len.get() }))
}

/// Sets what the access path of this thread compares with; checks are on if `on`.
#[inline]
pub fn set_own(on: bool, own: OwnIds) {
    with_hot(|hot| {
        let mask = mask_if(on);
        let own = if mask == 0 { OwnIds::ALL } else { own };
        hot.mask.set(mask);
        hot.own.base.set(own.base);
        hot.own.len.set(own.len);
    });
}

/// Accesses of this thread are not to be checked now.
pub fn look_away() {
    set_own(false, OwnIds::ALL);
}

/// The block that the cell of an address is in, and where in it.
#[inline(always)]
pub fn block_of(address: usize) -> (&'static Block, usize) {
    let cell = cell_of(address) as usize;
    let block = (cell & !(size_of::<Block>() - 1)) as *const Block;
    // SAFETY: the cells of all addresses are mapped for ever, and zero is a valid block.
    (unsafe { &*block }, cell / size_of::<Cell>() % BLOCK)
}

/// Fills the one cell that every access meets while checks are off.
///
/// # Safety
/// It is mapped, and so is the rest of its block.
pub unsafe fn fill_idle(cell: *mut Cell) {
    // SAFETY: by the caller's promise; the first cell is aligned like a block, and zero is a valid one.
    unsafe { &*cell.cast::<Block>() }.lock().set(0, Contents::UNMONITORED);
}

/// From now on accesses of a word are not looked at. A thread that is not checked may do this as well:
/// with memory of its own, which no other thread uses at this time.
pub fn leave_unmonitored(address: usize) {
    let (block, index) = block_of(address);
    block.lock().set(index, Contents::UNMONITORED);
}

/// Accesses of a word are looked at again, if they were not.
pub fn monitor_again(address: usize) {
    let (block, index) = block_of(address);
    let mut locked = block.lock();
    if locked.get(index) == Contents::UNMONITORED {
        locked.set(index, Contents::default());
    }
}

/// Forgets all cells but the idle one.
pub fn forget_all() {
    let first = (SHADOW + system::PAGE) as *mut _;
    // SAFETY: the cells are reserved, and zero cells are untouched words.
    unsafe { system::madvise(first, SHADOW_LEN - system::PAGE, system::MADV_DONTNEED) };
}
