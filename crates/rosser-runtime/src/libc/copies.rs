//! Functions that write strings.

use std::ffi::c_char;

use super::call::{Call, length, length_within, replaced};

/// Copies a string, with the zero at its end.
///
/// # Safety
/// It is one.
unsafe fn copies(call: Call, to: *mut c_char, from: *const c_char) {
    // SAFETY: by the caller's promise.
    let len = unsafe { call.read_text(from) };
    call.write(to, len + 1);
}

/// Copies a string, and fills what is left of so many bytes with zeros.
///
/// # Safety
/// It is one.
unsafe fn copies_and_fills(call: Call, to: *mut c_char, from: *const c_char, len: usize) {
    // SAFETY: by the caller's promise.
    unsafe { call.read_text_within(from, len) };
    call.write(to, len);
}

replaced! {
    strcpy(to: *mut c_char, from: *const c_char) -> *mut c_char, "rdx", |call, real| {
        copies(call, to, from);
        real(to, from)
    }

    stpcpy(to: *mut c_char, from: *const c_char) -> *mut c_char, "rdx", |call, real| {
        copies(call, to, from);
        real(to, from)
    }

    strncpy(to: *mut c_char, from: *const c_char, len: usize) -> *mut c_char, "rcx", |call, real| {
        copies_and_fills(call, to, from, len);
        real(to, from, len)
    }

    stpncpy(to: *mut c_char, from: *const c_char, len: usize) -> *mut c_char, "rcx", |call, real| {
        copies_and_fills(call, to, from, len);
        real(to, from, len)
    }

    strcat(to: *mut c_char, from: *const c_char) -> *mut c_char, "rdx", |call, real| {
        let end = to.add(call.read_text(to));
        copies(call, end, from);
        real(to, from)
    }

    strncat(to: *mut c_char, from: *const c_char, most: usize) -> *mut c_char, "rcx", |call, real| {
        let end = to.add(call.read_text(to));
        let len = call.read_text_within(from, most);
        call.write(end, len + 1);
        real(to, from, most)
    }

    // The copy is new, and nobody else's yet.
    strdup(text: *const c_char) -> *mut c_char, "rsi", |call, real| {
        call.read_text(text);
        real(text)
    }

    strndup(text: *const c_char, most: usize) -> *mut c_char, "rdx", |call, real| {
        call.read_text_within(text, most);
        real(text, most)
    }

    strtok_r(text: *mut c_char, set: *const c_char, rest: *mut *mut c_char) -> *mut c_char, "rcx", |call, real| {
        call.read_text(set);
        if text.is_null() {
            call.read(rest, size_of::<usize>());
        }
        let begin = if text.is_null() { *rest } else { text };
        let before = if begin.is_null() { 0 } else { length(begin) };
        let token = real(text, set, rest);
        call.write(rest, size_of::<usize>());
        if !token.is_null() {
            let end = token as usize - begin as usize + length(token);
            call.read(begin, end + 1);
            // The byte after the token becomes a zero, unless it is one.
            call.write(begin.add(end), usize::from(end < before));
        } else if !begin.is_null() {
            call.read(begin, before + 1);
        }
        token
    }

    strsep(text: *mut *mut c_char, set: *const c_char) -> *mut c_char, "rdx", |call, real| {
        call.read_text(set);
        let begin = *text;
        call.write(text, size_of::<usize>());
        if begin.is_null() {
            return begin;
        }
        let before = length(begin);
        let token = real(text, set);
        let end = length_within(token, before + 1);
        call.read(begin, end + 1);
        call.write(begin.add(end), usize::from(end < before));
        token
    }
}
