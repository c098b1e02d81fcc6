//! What a loop carries is its own, but not what is older than its leaves, nor what two leaves share.

use std::sync::atomic::{AtomicPtr, Ordering};

use rayon::prelude::*;
use shared::Shared;

fn main() {
    // A scratch buffer for all items.
    let mut scratch = vec![0_u32; 4];
    let place = Shared::slice(&mut scratch);
    (0..512_u32).into_par_iter().for_each(|item| {
        // SAFETY: the index is in bounds; the conflict is what is tested.
        unsafe { *place.at(1) = item } //~ race 1
    });

    // A block that is born in one leaf and used in another.
    static BLOCK: AtomicPtr<u64> = AtomicPtr::new(std::ptr::null_mut());
    let use_block = |item: u64| {
        if item == 0 {
            let block = Box::into_raw(Box::new(item)); //~ race 2
            BLOCK.store(block, Ordering::Relaxed); //~ order 3
        }
        if item == 511 {
            // SAFETY: nobody frees it.
            let block = unsafe { BLOCK.load(Ordering::Relaxed).as_mut() }; //~ order 3
            if let Some(value) = block {
                *value += 1; //~ race 2
            }
        }
    };
    (0..512_u64).into_par_iter().for_each(use_block);
}
