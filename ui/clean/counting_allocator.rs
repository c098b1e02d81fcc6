//! An allocator that counts, and has the system's do the work.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

struct Counting;

static BLOCKS: AtomicUsize = AtomicUsize::new(0);
static BYTES: AtomicUsize = AtomicUsize::new(0);

// SAFETY: the system's do the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BLOCKS.fetch_add(1, Ordering::Relaxed);
        BYTES.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: by the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        BYTES.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: by the caller's promise.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() {
    let lengths: Vec<usize> = (0..100_usize)
        .into_par_iter()
        .map(|number| {
            let mut text = String::new();
            (0..number).for_each(|_| text.push('x'));
            let copy = text.clone().into_boxed_str();
            drop(text);
            copy.len()
        })
        .collect();
    assert_eq!(lengths.iter().sum::<usize>(), 4950);
    assert!(BLOCKS.load(Ordering::Relaxed) > 200);
}
