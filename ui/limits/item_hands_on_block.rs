//! Known miss: one item of a leaf allocates a block and hands it to another item of the same leaf through an atomic pointer. The
//! conflict at the pointer is found; that in the block is taken for something that the loop carries. With `--items tasks`
//! both are found.

use std::sync::atomic::{AtomicPtr, Ordering};

use rayon::prelude::*;

fn main() {
    static BLOCK: AtomicPtr<u64> = AtomicPtr::new(std::ptr::null_mut());
    (0..512_u64).into_par_iter().for_each(|item| {
        if item == 0 {
            BLOCK.store(Box::into_raw(Box::new(item)), Ordering::Relaxed); //~ order 1
        }
        if item == 1 {
            // SAFETY: nobody frees it.
            let block = unsafe { BLOCK.load(Ordering::Relaxed).as_mut() }; //~ order 1
            block.into_iter().for_each(|value| *value += 1);
        }
    });
}
