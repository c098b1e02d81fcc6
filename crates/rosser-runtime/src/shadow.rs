//! From an address to its cell, by arithmetic alone.
//!
//! ```text
//! cell = SHADOW + 2 × (address & MASK)
//! ```
//!
//! 16 bytes of cell for 8 bytes of memory. Both numbers are in [`crate::layout`]. What is in a cell is up to
//! the backend.
//!
//! The access path reads the mask from the thread's [`Hot`]. Outside parallel regions, and in
//! threads that are not checked, it is zero: every access then meets the one cell at `SHADOW`,
//! which says that all is well. So switching checks off costs the access path nothing.

use std::cell::Cell as StdCell;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::backend::cells::{self, Cell, Own};
use crate::layout::{MASK, SHADOW, SHADOW_LEN};
use crate::system::{self, fail, reserve};

/// What the access path needs to know, per thread.
pub struct Hot {
    /// [`MASK`], or 0 if the thread's accesses are not to be checked now.
    pub mask: StdCell<usize>,
    /// Which ids are the present step's.
    pub own: Own,
}

impl Hot {
    /// Of a thread that is not checked.
    const fn idle() -> Self {
        Self { mask: StdCell::new(0), own: Own::idle() }
    }
}

#[cfg(not(rosser_inline))]
thread_local! {
    static HOT: Hot = const { Hot::idle() };
}

/// The same, with a name for assembly.
#[cfg(rosser_inline)]
#[thread_local]
pub static HOT: Hot = Hot::idle();

/// Looks at what the access path of this thread knows, or changes it.
#[inline(always)]
pub fn with_hot<R>(look: impl FnOnce(&Hot) -> R) -> R {
    #[cfg(not(rosser_inline))]
    return HOT.with(look);
    #[cfg(rosser_inline)]
    look(&HOT)
}

/// Whether this thread's accesses are checked now.
#[inline(always)]
pub fn is_on() -> bool {
    with_hot(|hot| hot.mask.get() != 0)
}

/// [`MASK`]; or 0 if tasks are to be followed and no access is to be looked at, to measure what that
/// costs alone.
///
/// Relaxed: it is changed before there is a second thread.
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

/// The mask of a thread whose checks are on or off.
#[inline]
pub fn mask_if(on: bool) -> usize {
    if on { MASK_IF_ON.load(Relaxed) } else { 0 }
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
    let Some(page) = reserve(SHADOW, system::PAGE) else {
        fail("the address space where the shadow memory belongs is taken", 2)
    };
    // SAFETY: the page was just mapped, and is aligned.
    unsafe { cells::fill_idle(page.cast()) };
}

/// Reserves the cells of all memory. The idle cell is there already.
pub fn map_all() {
    if reserve(SHADOW + system::PAGE, SHADOW_LEN - system::PAGE).is_none() {
        fail(system::NO_ADDRESS_SPACE, 2);
    }
}

/// Forgets the cells of the whole words of a range; `forget_words` does it where that is not whole pages of cells.
pub fn forget_range(from: usize, to: usize, mut forget_words: impl FnMut(usize, usize)) {
    const WHOLE_PAGES: usize = 64 << 10;
    let (first, last) = (from.next_multiple_of(8), to & !7);
    let mut word = first;
    if last.saturating_sub(first) >= WHOLE_PAGES {
        forget_pages(first, last);
        // What is left are the cells before the first and after the last whole page.
        let pages = (first.next_multiple_of(system::PAGE / 2), last & !(system::PAGE / 2 - 1));
        forget_words(first, pages.0);
        word = pages.1;
    }
    forget_words(word, last);
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

const _: () = assert!(size_of::<Cell>() == 16);
