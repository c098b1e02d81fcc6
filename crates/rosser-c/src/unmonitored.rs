//! Taking a variable out of the analysis.
#![allow(unsafe_code, reason = "the interface is one of C")]

use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::slice;

/// `rosser_unmonitored`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_unmonitored(variable: *const c_void, size: usize) {
    if variable.is_null() {
        return;
    }
    // SAFETY: there is a variable of that size, as the caller promises. Others may write to it.
    let bytes = unsafe { slice::from_raw_parts(variable.cast::<UnsafeCell<u8>>(), size) };
    rosser::unmonitored(bytes);
}
