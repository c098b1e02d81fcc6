//! An allocator that keeps lists of free blocks: tasks get blocks that others have given back, and the lists go
//! through the blocks themselves.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

/// Blocks have a multiple of this size, up to [`SIZES`] times as much.
const STEP: usize = 16;
const SIZES: usize = 64;
/// How many blocks are made at once.
const AT_ONCE: usize = 64;

struct Lists;

/// The first free block of each size, or 0.
static FREE: Mutex<[usize; SIZES]> = Mutex::new([0; SIZES]);

/// Which list a block is from; none if it is too large.
fn list(layout: Layout) -> Option<usize> {
    let is_small = layout.align() <= STEP && layout.size() <= STEP * SIZES;
    is_small.then(|| layout.size().div_ceil(STEP).max(1) - 1)
}

/// The link to the next free block, which is in a block itself.
fn link(block: usize) -> *mut usize {
    std::ptr::with_exposed_provenance_mut(block)
}

// SAFETY: a block is in a list or handed out, never both.
unsafe impl GlobalAlloc for Lists {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some(list) = list(layout) else {
            // SAFETY: the caller's.
            return unsafe { System.alloc(layout) };
        };
        let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
        if free[list] == 0 {
            let size = (list + 1) * STEP;
            let Ok(all) = Layout::from_size_align(size * AT_ONCE, STEP) else {
                return std::ptr::null_mut();
            };
            // SAFETY: it is not empty.
            let first = unsafe { System.alloc(all) }.expose_provenance();
            for block in (0..AT_ONCE).map(|number| first + number * size) {
                // SAFETY: within the memory just allocated, and aligned.
                unsafe { link(block).write(free[list]) };
                free[list] = block;
            }
        }
        let block = free[list];
        // SAFETY: it is free, so there is a link in it.
        free[list] = unsafe { link(block).read() };
        link(block).cast()
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let Some(list) = list(layout) else {
            // SAFETY: the caller's.
            return unsafe { System.dealloc(block, layout) };
        };
        let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
        let block = block.expose_provenance();
        // SAFETY: nobody uses it any more.
        unsafe { link(block).write(free[list]) };
        free[list] = block;
    }
}

#[global_allocator]
static LISTS: Lists = Lists;

fn main() {
    let one_by_one = |number: usize| {
        let mut numbers = Vec::new();
        (0..number % 5).for_each(|more| numbers.push(number + more));
        numbers.len()
    };
    let sum: usize = (0..2000_usize).into_par_iter().map(one_by_one).sum();
    assert_eq!(sum, 4000);
}
