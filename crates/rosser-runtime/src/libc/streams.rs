//! Streams. Their own state is the C library's.

use std::ffi::{c_char, c_int, c_void};

use super::call::{length, replaced};
use crate::system::keeping_errno;

type Stream = *mut c_void;

replaced! {
    fread(buffer: *mut c_void, size: usize, count: usize, file: Stream) -> usize, "r8", |call, real| {
        let result = real(buffer, size, count, file);
        keeping_errno(|| call.write(buffer, result * size));
        result
    }

    fwrite(buffer: *const c_void, size: usize, count: usize, file: Stream) -> usize, "r8", |call, real| {
        let result = real(buffer, size, count, file);
        keeping_errno(|| call.read(buffer, result * size));
        result
    }

    fgets(buffer: *mut c_char, room: c_int, file: Stream) -> *mut c_char, "rcx", |call, real| {
        let result = real(buffer, room, file);
        if !result.is_null() {
            keeping_errno(|| call.write(buffer, length(buffer) + 1));
        }
        result
    }

    getline(line: *mut *mut c_char, room: *mut usize, file: Stream) -> isize, "rcx", |call, real| {
        call.write(line, size_of::<usize>());
        call.write(room, size_of::<usize>());
        let result = real(line, room, file);
        if let Ok(len) = usize::try_from(result) {
            keeping_errno(|| call.write(*line, len + 1));
        }
        result
    }

    fputs(text: *const c_char, file: Stream) -> c_int, "rdx", |call, real| {
        call.read_text(text);
        real(text, file)
    }

    puts(text: *const c_char) -> c_int, "rsi", |call, real| {
        call.read_text(text);
        real(text)
    }

    perror(text: *const c_char), "rsi", |call, real| {
        if !text.is_null() {
            call.read_text(text);
        }
        real(text);
    }
}
