//! Blocks of the program's allocator, whichever that is: the program is made to tell of every one.
//!
//! As on the [heap](crate::heap), the end of a block is checked like a write to all of it, and a new one has
//! no history. The size is the one that the program asked for, and a block may begin anywhere: words
//! may belong to several.

use crate::backtrace::Here;
use crate::entry::with_return_address;
use crate::{blocks, checked, latest, loops, shadow, unmonitored};

with_return_address! {
    /// The program has got a block of its allocator, or null.
    ///
    /// # Safety
    /// The block is nobody else's.
    rosser_allocated(block: *const u8, size: usize) ["rdx"] => allocated
}

with_return_address! {
    /// The program is about to give a block back.
    ///
    /// # Safety
    /// It has got it, with this size.
    rosser_freed(block: *const u8, size: usize) ["rdx"] => freed
}

with_return_address! {
    /// The program is about to have the size of a block changed. Tells of the result as of a new one;
    /// if that is null, the block lives on.
    ///
    /// # Safety
    /// It has got it, with this size.
    rosser_reallocates(block: *const u8, size: usize) ["rdx"] => reallocates
}

extern "C" fn allocated(block: *const u8, size: usize, slot: usize) {
    let (mut address, mut size) = (block as usize, size);
    let resized = latest::resized();
    if latest::was_allocated(address, size) {
        return;
    }
    if address == 0 {
        let Some(old) = resized else { return };
        (address, size) = old;
    }
    if size == 0 || shadow::looks_at_nothing() {
        return;
    }
    blocks::allocated(address, size);
    if let Some(checked) = checked::if_owner() {
        checked.forget_exactly(address, address + size, Here::returning_at(slot));
        loops::note_birth(checked, address);
    } else {
        unmonitored::forget(address, size);
    }
}

extern "C" fn freed(block: *const u8, size: usize, slot: usize) {
    let address = block as usize;
    if address == 0 || size == 0 || shadow::looks_at_nothing() {
        return;
    }
    let here = Here::returning_at(slot);
    if let Some(checked) = checked::if_on() {
        checked.block_ends(address, size, here);
    } else if let Some(checked) = checked::if_owner() {
        checked.forget_exactly(address, address + size, here);
    }
    // If it is larger than the program knows, the heap has something left to look at.
    if blocks::freed(address).is_none_or(|known| known == size) {
        latest::freed(address);
    }
}

extern "C" fn reallocates(block: *const u8, size: usize, slot: usize) {
    freed(block, size, slot);
    latest::resizes(block as usize, size);
}
