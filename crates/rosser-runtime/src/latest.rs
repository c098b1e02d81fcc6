//! The latest blocks of each thread.
//!
//! The program tells of blocks that its allocator hands out and gets back. Most come from the C library's
//! heap, which has told of them already, or is just about to: then nothing is left to do.

use std::cell::Cell;

/// An address in disguise: of a block that a thread-local leads to it is thought that it belongs to the
/// thread, and these variables must not make anyone think so.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Disguised(usize);

impl Disguised {
    const NONE: Self = Self::of(0);

    const fn of(address: usize) -> Self {
        Self(!address)
    }
}

/// A block: where it begins, and its size. None is at 0.
type Block = (Disguised, usize);
const NONE: Block = (Disguised::NONE, 0);

thread_local! {
    static ALLOCATED: Cell<Block> = const { Cell::new(NONE) };
    static FREED: Cell<Disguised> = const { Cell::new(Disguised::NONE) };
    static RESIZED: Cell<Block> = const { Cell::new(NONE) };
}

/// The heap has made a block known.
#[inline(always)]
pub fn allocated(address: usize, size: usize) {
    ALLOCATED.set((Disguised::of(address), size));
    FREED.set(Disguised::NONE);
}

/// Whether the heap has just made this block known: whoever asks gets it. A larger one at the same
/// address may be memory that an allocator has had for long.
#[inline(always)]
pub fn was_allocated(address: usize, size: usize) -> bool {
    ALLOCATED.replace(NONE) == (Disguised::of(address), size)
}

/// The end of a block is known, and all of it has been looked at.
#[inline(always)]
pub fn freed(address: usize) {
    FREED.set(Disguised::of(address));
    ALLOCATED.set(NONE);
}

/// Whether that was this block. The heap frees it now.
#[inline(always)]
pub fn was_freed(address: usize) -> bool {
    ALLOCATED.set(NONE);
    FREED.replace(Disguised::NONE) == Disguised::of(address)
}

/// A block is about to get another size.
#[inline(always)]
pub fn resizes(address: usize, size: usize) {
    RESIZED.set((Disguised::of(address), size));
}

/// The block that was to get another size, the first time that this is asked: its address and size.
#[inline(always)]
pub fn resized() -> Option<(usize, usize)> {
    let (address, size) = RESIZED.replace(NONE);
    (address != Disguised::NONE).then_some((!address.0, size))
}

#[cfg(test)]
mod tests {
    use super::{allocated, freed, resized, resizes, was_allocated, was_freed};

    #[test]
    fn a_block_is_known_once_and_as_it_was() {
        allocated(0x1000, 24);
        assert!(was_allocated(0x1000, 24));
        assert!(!was_allocated(0x1000, 24));
        allocated(0x1000, 4096);
        assert!(!was_allocated(0x1000, 24));
        allocated(0x1000, 24);
        allocated(0x2000, 24);
        assert!(!was_allocated(0x1000, 24));
    }

    #[test]
    fn a_block_that_was_freed_is_freed_by_the_heap_at_most_once() {
        freed(0x1000);
        assert!(was_freed(0x1000));
        assert!(!was_freed(0x1000));
        freed(0x1000);
        // It has been allocated again since.
        allocated(0x1000, 24);
        assert!(!was_freed(0x1000));
        freed(0x1000);
        assert!(!was_freed(0x2000));
    }

    #[test]
    fn a_block_that_is_freed_is_not_new_any_more() {
        allocated(0x1000, 24);
        assert!(!was_freed(0x1000));
        assert!(!was_allocated(0x1000, 24));
    }

    #[test]
    fn what_is_resized_is_asked_for_once() {
        assert_eq!(resized(), None);
        resizes(0x1000, 24);
        assert_eq!(resized(), Some((0x1000, 24)));
        assert_eq!(resized(), None);
    }
}
