//! A program with an allocator of its own, which does no more than to call the system's.

use std::alloc::{GlobalAlloc, Layout, System};

struct Own;

// SAFETY: it is the system's.
unsafe impl GlobalAlloc for Own {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: by the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: by the caller's promise.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Own = Own;

fn main() {
    let (left, right) = rayon::join(|| vec![1; 100], || vec![2; 100]);
    assert_eq!(left.iter().chain(&right).sum::<i32>(), 300);
}
