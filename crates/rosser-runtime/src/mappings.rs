//! Memory that the program maps itself: other allocators, files, stacks of coroutines.
//!
//! Like the heap's blocks: a mapping that ends is checked like a write to all of it, and a new one
//! has no history. Mappings of the C library itself do not come this way.

use std::ffi::{c_int, c_void};

use crate::backtrace::Here;
use crate::entry::with_return_address;
use crate::{checked, system};

/// The program's memory at the range has a new owner.
fn is_new(address: usize, len: usize) {
    if let Some(checked) = checked::if_on() {
        checked.forget(address, address.saturating_add(len));
    }
}

/// The program is going to unmap the range.
fn is_old(address: usize, len: usize, slot: usize) {
    if let Some(checked) = checked::if_on() {
        checked.mapping_ends(address, len, Here::returning_at(slot));
    }
}

/// As in POSIX.
///
/// # Safety
/// As in POSIX.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mmap(
    at: *mut c_void,
    len: usize,
    protection: c_int,
    flags: c_int,
    file: c_int,
    offset: i64,
) -> *mut c_void {
    // SAFETY: the caller's.
    let mapped = unsafe { system::mmap(at, len, protection, flags, file, offset) };
    if mapped as isize != -1 {
        is_new(mapped as usize, len);
    }
    mapped
}

/// As in glibc.
///
/// # Safety
/// As in glibc.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mmap64(
    at: *mut c_void,
    len: usize,
    protection: c_int,
    flags: c_int,
    file: c_int,
    offset: i64,
) -> *mut c_void {
    // SAFETY: the caller's.
    unsafe { mmap(at, len, protection, flags, file, offset) }
}

with_return_address! {
    /// As in POSIX.
    ///
    /// # Safety
    /// As in POSIX.
    munmap(at: *mut c_void, len: usize) -> c_int ["rdx"] => munmap_from
}

unsafe extern "C" fn munmap_from(at: *mut c_void, len: usize, slot: usize) -> c_int {
    is_old(at as usize, len, slot);
    // SAFETY: the caller's.
    unsafe { system::munmap(at, len) }
}
