//! From an address to its cell, by arithmetic alone.
//!
//! ```text
//! cell = SHADOW + 2 × (address & MASK)
//! ```
//!
//! 16 bytes of cell for 8 bytes of memory. Both numbers are in [`crate::layout`].
//!
//! The access path reads the mask from the thread's [`Hot`]. Outside parallel regions, and in
//! threads that are not checked, it is zero: every access then meets the one cell at `SHADOW`,
//! which says that all is well. So switching checks off costs the access path nothing.

use std::cell::Cell as StdCell;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

#[cfg(not(rosser_parallel))]
use rosser_detect::serial::cell::Cell;
#[cfg(rosser_parallel)]
use rosser_detect::sf_order::cell::{BLOCK, Block, Cell, Contents, Own};

use crate::layout::{MASK, SHADOW, SHADOW_LEN};
use crate::system::{self, fail, reserve};

/// What the access path needs to know, per thread.
pub struct Hot {
    /// [`MASK`], or 0 if the thread's accesses are not to be checked now.
    pub mask: StdCell<usize>,
    /// Ids of the present step are not below this one.
    pub base: StdCell<u32>,
    /// How many there can be, if other workers have ids, too.
    #[cfg(rosser_parallel)]
    pub len: StdCell<u32>,
}

impl Hot {
    /// Of a thread that is not checked.
    const fn idle() -> Self {
        Self {
            mask: StdCell::new(0),
            base: StdCell::new(0),
            #[cfg(rosser_parallel)]
            len: StdCell::new(u32::MAX),
        }
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
fn with_hot<R>(look: impl FnOnce(&Hot) -> R) -> R {
    #[cfg(not(rosser_inline))]
    return HOT.with(look);
    #[cfg(rosser_inline)]
    look(&HOT)
}

/// The mask and the ids of this thread's present step.
#[cfg(rosser_parallel)]
#[inline(always)]
pub fn hot_own() -> (usize, Own) {
    with_hot(|hot| (hot.mask.get(), Own { base: hot.base.get(), len: hot.len.get() }))
}

/// Sets what the access path of this thread compares with; checks are on if `on`.
#[cfg(rosser_parallel)]
#[inline]
pub fn set_own(on: bool, own: Own) {
    with_hot(|hot| {
        let mask = if on { MASK_IF_ON.load(Relaxed) } else { 0 };
        // The idle cell is everybody's own.
        let own = if mask == 0 { Own::ALL } else { own };
        hot.mask.set(mask);
        hot.base.set(own.base);
        hot.len.set(own.len);
    });
}

/// The mask and the base of this thread.
#[cfg(not(rosser_parallel))]
#[inline(always)]
pub fn hot() -> (usize, u32) {
    with_hot(|hot| (hot.mask.get(), hot.base.get()))
}

/// Whether this thread's accesses are checked now.
#[inline(always)]
pub fn is_on() -> bool {
    with_hot(|hot| hot.mask.get() != 0)
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
#[cfg(not(rosser_parallel))]
#[inline]
pub fn set_hot(on: bool, base: u32) {
    with_hot(|hot| {
        hot.mask.set(if on { MASK_IF_ON.load(Relaxed) } else { 0 });
        hot.base.set(base);
    });
}

/// Accesses of this thread are not to be checked now.
pub fn look_away() {
    #[cfg(not(rosser_parallel))]
    set_hot(false, 0);
    #[cfg(rosser_parallel)]
    set_own(false, Own::ALL);
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

/// The block that the cell of an address is in, and where in it.
#[cfg(rosser_parallel)]
#[inline(always)]
pub fn block_of(address: usize) -> (&'static Block, usize) {
    let cell = cell_of(address) as usize;
    let block = (cell & !(size_of::<Block>() - 1)) as *const Block;
    // SAFETY: the cells of all addresses are mapped for ever, and zero is a valid block.
    (unsafe { &*block }, cell / size_of::<Cell>() % BLOCK)
}

/// Maps the one cell that every access meets while checks are off.
pub fn map_idle_cell() {
    let Some(cell) = reserve(SHADOW, system::PAGE) else {
        fail("the address space where the shadow memory belongs is taken", 2)
    };
    // SAFETY: the page was just mapped and is aligned.
    #[cfg(not(rosser_parallel))]
    unsafe {
        cell.cast::<Cell>().write(Cell::UNMONITORED);
    };
    // SAFETY: the page was just mapped, is aligned, and zero is a valid block.
    #[cfg(rosser_parallel)]
    unsafe { &*cell.cast::<Block>() }.lock().set(0, Contents::UNMONITORED);
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

/// From now on accesses of a word are not looked at. A thread that is not checked may do this as well:
/// with memory of its own, which no other thread uses at this time.
pub fn leave_unmonitored(address: usize) {
    // SAFETY: the cell is mapped.
    #[cfg(not(rosser_parallel))]
    unsafe {
        cell_of(address).write(Cell::UNMONITORED);
    }
    #[cfg(rosser_parallel)]
    {
        let (block, index) = block_of(address);
        block.lock().set(index, Contents::UNMONITORED);
    }
}

/// Accesses of a word are looked at again, if they were not.
pub fn monitor_again(address: usize) {
    // SAFETY: the cell is mapped.
    #[cfg(not(rosser_parallel))]
    unsafe {
        let cell = cell_of(address);
        if *cell == Cell::UNMONITORED {
            cell.write(Cell::default());
        }
    }
    #[cfg(rosser_parallel)]
    {
        let (block, index) = block_of(address);
        let mut locked = block.lock();
        if locked.get(index) == Contents::UNMONITORED {
            locked.set(index, Contents::default());
        }
    }
}

/// Forgets all cells but the idle one.
#[cfg(rosser_parallel)]
pub fn forget_all() {
    let first = (SHADOW + system::PAGE) as *mut _;
    // SAFETY: as above.
    unsafe { system::madvise(first, SHADOW_LEN - system::PAGE, system::MADV_DONTNEED) };
}

const _: () = assert!(size_of::<Cell>() == 16);
