//! Files and the like: what the kernel reads and writes for the program.
//!
//! Only what was transferred has been accessed, so these are told after the fact, which must not be
//! seen in `errno`.

use std::ffi::{c_char, c_int, c_uint, c_void};

use super::call::{Call, length, replaced};
use crate::system::keeping_errno;

/// A part of what is transferred at once.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Part {
    start: *const c_void,
    len: usize,
}

/// The kernel has written so many bytes, or has failed.
pub fn got(call: Call, buffer: *const c_void, result: isize) {
    if let Ok(len) = usize::try_from(result) {
        keeping_errno(|| call.write(buffer, len));
    }
}

/// The kernel has read so many bytes, or has failed.
pub fn gave(call: Call, buffer: *const c_void, result: isize) {
    if let Ok(len) = usize::try_from(result) {
        keeping_errno(|| call.read(buffer, len));
    }
}

/// The same with a buffer in parts.
///
/// # Safety
/// There are so many parts.
pub unsafe fn in_parts(
    call: Call,
    parts: *const Part,
    count: usize,
    result: isize,
    transferred: fn(Call, *const c_void, isize),
) {
    let Ok(mut left) = usize::try_from(result) else { return };
    keeping_errno(|| call.read(parts, count * size_of::<Part>()));
    for index in 0..count {
        // SAFETY: by the caller's promise.
        let Part { start, len } = unsafe { *parts.add(index) };
        let len = len.min(left);
        left -= len;
        transferred(call, start, len as isize);
    }
}

/// Defines functions of one buffer, with what else they have between it and the slot's register.
macro_rules! buffers {
    ($($name:ident($file:ident: $of:ty, $buffer:ident: $pointer:ty $(, $arg:ident: $type:ty)*),
        $register:literal => $transferred:ident;)*) => {
        replaced! {$(
            $name($file: $of, $buffer: $pointer $(, $arg: $type)*) -> isize, $register, |call, real| {
                let result = real($file, $buffer $(, $arg)*);
                $transferred(call, $buffer, result);
                result
            }
        )*}
    };
}

buffers! {
    read(file: c_int, buffer: *mut c_void, len: usize), "rcx" => got;
    write(file: c_int, buffer: *const c_void, len: usize), "rcx" => gave;
    pread(file: c_int, buffer: *mut c_void, len: usize, offset: i64), "r8" => got;
    pread64(file: c_int, buffer: *mut c_void, len: usize, offset: i64), "r8" => got;
    pwrite(file: c_int, buffer: *const c_void, len: usize, offset: i64), "r8" => gave;
    pwrite64(file: c_int, buffer: *const c_void, len: usize, offset: i64), "r8" => gave;
    recv(file: c_int, buffer: *mut c_void, len: usize, flags: c_int), "r8" => got;
    send(file: c_int, buffer: *const c_void, len: usize, flags: c_int), "r8" => gave;
    readlink(path: *const c_char, buffer: *mut c_void, len: usize), "rcx" => got;
}

/// The same for parts.
macro_rules! parts {
    ($($name:ident($($arg:ident: $type:ty),*), $register:literal => $transferred:ident;)*) => {
        replaced! {$(
            $name(file: c_int, parts: *const Part, count: c_int $(, $arg: $type)*) -> isize, $register, |call, real| {
                let result = real(file, parts, count $(, $arg)*);
                in_parts(call, parts, usize::try_from(count).unwrap_or(0), result, $transferred);
                result
            }
        )*}
    };
}

parts! {
    readv(), "rcx" => got;
    writev(), "rcx" => gave;
    preadv(offset: i64), "r8" => got;
    preadv64(offset: i64), "r8" => got;
    pwritev(offset: i64), "r8" => gave;
    pwritev64(offset: i64), "r8" => gave;
}

replaced! {
    getrandom(buffer: *mut c_void, len: usize, flags: c_uint) -> isize, "rcx", |call, real| {
        let result = real(buffer, len, flags);
        got(call, buffer, result);
        result
    }

    getentropy(buffer: *mut c_void, len: usize) -> c_int, "rdx", |call, real| {
        let result = real(buffer, len);
        if result == 0 {
            call.write(buffer, len);
        }
        result
    }

    // Without a buffer the result is new, and nobody else's yet.
    getcwd(buffer: *mut c_char, len: usize) -> *mut c_char, "rdx", |call, real| {
        let result = real(buffer, len);
        if !result.is_null() && !buffer.is_null() {
            call.write(buffer, length(buffer) + 1);
        }
        result
    }

    realpath(path: *const c_char, buffer: *mut c_char) -> *mut c_char, "rdx", |call, real| {
        call.read_text(path);
        let result = real(path, buffer);
        if !result.is_null() && !buffer.is_null() {
            call.write(buffer, length(buffer) + 1);
        }
        result
    }

    // What the standard library asks for the text of an error.
    __xpg_strerror_r(error: c_int, buffer: *mut c_char, len: usize) -> c_int, "rcx", |call, real| {
        let result = real(error, buffer, len);
        if result == 0 {
            call.write(buffer, length(buffer) + 1);
        }
        result
    }
}
