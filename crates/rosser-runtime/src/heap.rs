//! The heap: the C library's, with an eye on lifetimes.
//!
//! The end of a block is checked like a write to all of it: a parallel access is a race. A new
//! block has no history: whatever an earlier one at the same address had is forgotten. Outside
//! parallel regions neither matters, because everything there is ordered with everything.

use std::ffi::{c_int, c_void};

use crate::backtrace::Here;
use crate::entry::with_return_address;
use crate::system::{
    __libc_calloc, __libc_free, __libc_malloc, __libc_memalign, __libc_realloc, malloc_usable_size,
};
use crate::{blocks, checked, latest, loops, shadow, unmonitored};

#[inline(always)]
fn is_new(block: *mut c_void, size: usize) {
    if block.is_null() || shadow::looks_at_nothing() {
        return;
    }
    latest::allocated(block as usize, size);
    blocks::allocated(block as usize, size);
    if let Some(checked) = checked::if_owner() {
        // SAFETY: a live block.
        let usable = unsafe { malloc_usable_size(block) };
        checked.forget(block as usize, block as usize + usable);
        loops::note_birth(checked, block as usize);
    } else {
        unmonitored::forget(block as usize, size);
    }
}

#[inline]
fn is_old(block: *mut c_void, slot: usize) {
    if block.is_null() || shadow::looks_at_nothing() {
        return;
    }
    let address = block as usize;
    if latest::was_freed(address) {
        return;
    }
    if let Some(checked) = checked::if_on() {
        // SAFETY: a live block.
        let usable = unsafe { malloc_usable_size(block) };
        checked.block_ends(address, usable, Here::returning_at(slot));
    } else if let Some(checked) = checked::if_owner() {
        // SAFETY: a live block.
        checked.forget(address, address + unsafe { malloc_usable_size(block) });
    }
    blocks::freed(address);
}

/// As in C.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn malloc(size: usize) -> *mut c_void {
    // SAFETY: the caller's.
    let block = unsafe { __libc_malloc(size) };
    is_new(block, size);
    block
}

/// As in C.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
    // SAFETY: the caller's.
    let block = unsafe { __libc_calloc(count, size) };
    is_new(block, count.wrapping_mul(size));
    block
}

/// As in POSIX.
///
/// # Safety
/// As in POSIX.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn posix_memalign(out: *mut *mut c_void, align: usize, size: usize) -> c_int {
    const INVALID: c_int = 22;
    const NO_MEMORY: c_int = 12;
    if !align.is_power_of_two() || !align.is_multiple_of(size_of::<usize>()) {
        return INVALID;
    }
    // SAFETY: the caller's.
    let block = unsafe { __libc_memalign(align, size) };
    if block.is_null() {
        return NO_MEMORY;
    }
    is_new(block, size);
    // SAFETY: the caller's.
    unsafe { *out = block };
    0
}

/// As in C.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aligned_alloc(align: usize, size: usize) -> *mut c_void {
    // SAFETY: the caller's.
    let block = unsafe { __libc_memalign(align, size) };
    is_new(block, size);
    block
}

/// As in glibc.
///
/// # Safety
/// As in glibc.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memalign(align: usize, size: usize) -> *mut c_void {
    // SAFETY: the caller's.
    let block = unsafe { __libc_memalign(align, size) };
    is_new(block, size);
    block
}

with_return_address! {
    /// As in C.
    ///
    /// # Safety
    /// As in C.
    free(block: *mut c_void) ["rsi"] => free_from
}

with_return_address! {
    /// As in C.
    ///
    /// # Safety
    /// As in C.
    realloc(block: *mut c_void, size: usize) -> *mut c_void ["rdx"] => realloc_from
}

unsafe extern "C" fn free_from(block: *mut c_void, slot: usize) {
    is_old(block, slot);
    // SAFETY: the caller's.
    unsafe { __libc_free(block) };
}

unsafe extern "C" fn realloc_from(block: *mut c_void, size: usize, slot: usize) -> *mut c_void {
    is_old(block, slot);
    // SAFETY: the caller's.
    let new = unsafe { __libc_realloc(block, size) };
    if new.is_null() && size != 0 {
        // The old block lives on. Its history is that of a freed one, so it is forgotten.
        is_new(block, size);
    } else {
        is_new(new, size);
    }
    new
}
