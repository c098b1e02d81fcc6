//! Ranges, `memcpy` and friends, and the callbacks that need no answer.

use rosser_detect::kind::Kind;

use crate::backtrace::Here;
use crate::entry::with_return_address;
use crate::{access, checked};

with_return_address! {
    /// A read of any length.
    ///
    /// # Safety
    /// None needed.
    __tsan_read_range(address: *const u8, len: usize) ["rdx"] => read_range
}

with_return_address! {
    /// A write of any length.
    ///
    /// # Safety
    /// None needed.
    __tsan_write_range(address: *const u8, len: usize) ["rdx"] => write_range
}

with_return_address! {
    /// The program's `memcpy`.
    ///
    /// # Safety
    /// As `memcpy`.
    __tsan_memcpy(to: *mut u8, from: *const u8, len: usize) -> *mut u8 ["rcx"] => copy
}

with_return_address! {
    /// The program's `memmove`.
    ///
    /// # Safety
    /// As `memmove`.
    __tsan_memmove(to: *mut u8, from: *const u8, len: usize) -> *mut u8 ["rcx"] => copy
}

with_return_address! {
    /// The program's `memset`.
    ///
    /// # Safety
    /// As `memset`.
    __tsan_memset(to: *mut u8, value: i32, len: usize) -> *mut u8 ["rcx"] => fill
}

with_return_address! {
    /// The pointer to a C++ object's virtual functions changes. Writing the same again is no
    /// access: constructors of base classes do it all the time.
    ///
    /// # Safety
    /// The place may be read.
    __tsan_vptr_update(place: *const usize, new: usize) ["rdx"] => vptr_update
}

extern "C" fn read_range(address: *const u8, len: usize, slot: usize) {
    if let Some(checked) = checked::if_on() {
        checked.read(address as usize, len, Here::of_entry(slot));
    }
}

extern "C" fn write_range(address: *const u8, len: usize, slot: usize) {
    if let Some(checked) = checked::if_on() {
        checked.write(address as usize, len, Kind::Write, Here::of_entry(slot));
    }
}

unsafe extern "C" fn copy(to: *mut u8, from: *const u8, len: usize, slot: usize) -> *mut u8 {
    if let Some(checked) = checked::if_on() {
        let here = Here::of_entry(slot);
        checked.read(from as usize, len, here);
        checked.write(to as usize, len, Kind::Write, here);
    }
    // SAFETY: by the caller's promise; `copy` allows overlap.
    unsafe { std::ptr::copy(from, to, len) };
    to
}

unsafe extern "C" fn fill(to: *mut u8, value: i32, len: usize, slot: usize) -> *mut u8 {
    if let Some(checked) = checked::if_on() {
        checked.write(to as usize, len, Kind::Write, Here::of_entry(slot));
    }
    // SAFETY: by the caller's promise. As `memset` does, only the low byte counts.
    unsafe { std::ptr::write_bytes(to, value as u8, len) };
    to
}

unsafe extern "C" fn vptr_update(place: *const usize, new: usize, slot: usize) {
    // SAFETY: by the caller's promise.
    if unsafe { place.read() } != new {
        access::write_range(place as usize, 8, Here::of_entry(slot));
    }
}

/// Called by constructors that the compiler adds. There is nothing left to do: the runtime is
/// ready before any of them.
#[unsafe(no_mangle)]
pub extern "C" fn __tsan_init() {}

/// A function is entered. Stacks are walked when they are needed instead.
#[unsafe(no_mangle)]
pub extern "C" fn __tsan_func_entry(_caller: *const u8) {}

/// A function is left.
#[unsafe(no_mangle)]
pub extern "C" fn __tsan_func_exit() {}

/// Accesses up to the matching end are not to be checked. Compilers do not emit it.
#[unsafe(no_mangle)]
pub extern "C" fn __tsan_ignore_thread_begin() {}

/// The end of what is not to be checked.
#[unsafe(no_mangle)]
pub extern "C" fn __tsan_ignore_thread_end() {}
