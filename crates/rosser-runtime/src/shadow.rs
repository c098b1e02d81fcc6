//! From an address to its cell, by arithmetic alone.
//!
//! ```text
//! cell = SHADOW + 2 × (address & MASK)
//! ```
//!
//! 16 bytes of cell for 8 bytes of memory. The mask drops the low three bits and all above the
//! 44th: on x86-64 Linux programs live below 0x0500…, from 0x5500… (executable and heap) and from
//! 0x7800… (libraries and stacks), and the low 44 bits of these ranges do not overlap.
//!
//! The access path reads the mask from the thread's [`Hot`]. Outside parallel regions, and in
//! threads that are not checked, it is zero: every access then meets the one cell at `SHADOW`,
//! which says that all is well. So switching checks off costs the access path nothing.

use std::cell::Cell as StdCell;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rosser_shadow::cell::Cell;

use crate::system::{self, fail, reserve};

/// Where the cells begin. The 32 TiB from here on are free in every usual memory layout.
pub const SHADOW: usize = 0x1000_0000_0000;
/// Selects what of an address counts.
pub const MASK: usize = 0x0fff_ffff_fff8;
/// How much address space the cells take.
const SHADOW_LEN: usize = (MASK + 8) * 2;

/// What the access path needs to know, per thread.
pub struct Hot {
    /// [`MASK`], or 0 if the thread's accesses are not to be checked now.
    pub mask: StdCell<usize>,
    /// Ids of the present step are not below this one.
    pub base: StdCell<u32>,
}

thread_local! {
    // Without a destructor and with a constant value this is a plain thread-local variable.
    static HOT: Hot = const { Hot { mask: StdCell::new(0), base: StdCell::new(0) } };
}

/// The mask and the base of this thread.
#[inline(always)]
pub fn hot() -> (usize, u32) {
    HOT.with(|hot| (hot.mask.get(), hot.base.get()))
}

/// Whether this thread's accesses are checked now.
#[inline(always)]
pub fn is_on() -> bool {
    HOT.with(|hot| hot.mask.get() != 0)
}

/// [`MASK`]; or 0 if tasks are to be followed and no access is to be looked at, to measure what that
/// costs alone.
static MASK_IF_ON: AtomicUsize = AtomicUsize::new(MASK);

/// From now on no access is looked at.
pub fn look_at_nothing() {
    MASK_IF_ON.store(0, Relaxed);
}

/// Whether accesses are not looked at although tasks are followed.
#[inline]
pub fn looks_at_nothing() -> bool {
    MASK_IF_ON.load(Relaxed) == 0
}

/// Sets what the access path of this thread compares with; checks are on if `on`.
#[inline]
pub fn set_hot(on: bool, base: u32) {
    HOT.with(|hot| {
        hot.mask.set(if on { MASK_IF_ON.load(Relaxed) } else { 0 });
        hot.base.set(base);
    });
}

/// The cell that an access to `address` looks at, under the given mask.
#[inline(always)]
pub fn cell_under(mask: usize, address: usize) -> *mut Cell {
    (SHADOW + 2 * (address & mask)) as *mut Cell
}

/// The cell of an address.
#[inline(always)]
pub fn cell_of(address: usize) -> *mut Cell {
    cell_under(MASK, address)
}

/// Maps the one cell that every access meets while checks are off.
pub fn map_idle_cell() {
    let Some(cell) = reserve(SHADOW, system::PAGE) else {
        fail("the address space where the shadow memory belongs is taken", 2)
    };
    // SAFETY: the page was just mapped and is aligned.
    unsafe { cell.cast::<Cell>().write(Cell::UNMONITORED) };
}

/// Reserves the cells of all memory. The idle cell is there already.
pub fn map_all() {
    if reserve(SHADOW + system::PAGE, SHADOW_LEN - system::PAGE).is_none() {
        fail(system::NO_ADDRESS_SPACE, 2);
    }
}

/// Forgets the cells of whole pages at once. The pages they were in are given back.
pub fn forget_pages(from: usize, to: usize) {
    let first = (cell_of(from) as usize).next_multiple_of(system::PAGE);
    let last = cell_of(to) as usize & !(system::PAGE - 1);
    if first < last {
        // SAFETY: the range is within the reserved cells; zero cells are untouched words.
        unsafe { system::madvise(first as *mut _, last - first, system::MADV_DONTNEED) };
    }
}

const _: () = {
    assert!(size_of::<Cell>() == 16);
    assert!(MASK.trailing_zeros() == 3);
    // The ranges in use do not overlap after masking, and the shadow is in none of them.
    assert!(0x5800_0000_0000_usize & MASK == 0x0800_0000_0000);
    assert!(SHADOW + SHADOW_LEN <= 0x5500_0000_0000);
};
