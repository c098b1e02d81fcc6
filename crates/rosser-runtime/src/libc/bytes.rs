//! Comparing and searching so many bytes.

use std::ffi::{c_int, c_void};

use super::call::replaced;

replaced! {
    // It may look at all bytes, whatever it finds.
    memcmp(a: *const c_void, b: *const c_void, len: usize) -> c_int, "rcx", |call, real| {
        call.read(a, len);
        call.read(b, len);
        real(a, b, len)
    }

    bcmp(a: *const c_void, b: *const c_void, len: usize) -> c_int, "rcx", |call, real| {
        call.read(a, len);
        call.read(b, len);
        real(a, b, len)
    }

    // It must not look at what comes after the byte.
    memchr(bytes: *const c_void, byte: c_int, len: usize) -> *mut c_void, "rcx", |call, real| {
        let found = real(bytes, byte, len);
        let seen = if found.is_null() { len } else { found as usize - bytes as usize + 1 };
        call.read(bytes, seen);
        found
    }

    memrchr(bytes: *const c_void, byte: c_int, len: usize) -> *mut c_void, "rcx", |call, real| {
        let found = real(bytes, byte, len);
        let from = if found.is_null() { bytes } else { found.cast_const() };
        call.read(from, bytes as usize + len - from as usize);
        found
    }

    rawmemchr(bytes: *const c_void, byte: c_int) -> *mut c_void, "rdx", |call, real| {
        let found = real(bytes, byte);
        call.read(bytes, found as usize - bytes as usize + 1);
        found
    }

    memmem(bytes: *const c_void, len: usize, part: *const c_void, part_len: usize) -> *mut c_void, "r8", |call, real| {
        let found = real(bytes, len, part, part_len);
        let seen = if found.is_null() { len } else { found as usize - bytes as usize + part_len };
        call.read(bytes, seen);
        call.read(part, part_len);
        found
    }

    mempcpy(to: *mut c_void, from: *const c_void, len: usize) -> *mut c_void, "rcx", |call, real| {
        call.read(from, len);
        call.write(to, len);
        real(to, from, len)
    }
}
