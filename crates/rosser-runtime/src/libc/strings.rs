//! Measuring, comparing and searching strings.

use std::ffi::{c_char, c_int};

use super::call::{Call, length, replaced};

/// Reads two strings up to the first difference, both inclusive, and no more than so many bytes.
///
/// # Safety
/// They are strings, or so long.
unsafe fn read_both(
    call: Call,
    a: *const c_char,
    b: *const c_char,
    most: usize,
    is_same: impl Fn(u8, u8) -> bool,
) {
    let mut len = 0;
    while len < most {
        // SAFETY: neither has ended.
        let (in_a, in_b) = unsafe { (*a.add(len) as u8, *b.add(len) as u8) };
        len += 1;
        if in_a == 0 || !is_same(in_a, in_b) {
            break;
        }
    }
    call.read(a, len);
    call.read(b, len);
}

fn is_equal(a: u8, b: u8) -> bool {
    a == b
}

fn is_equal_in_any_case(a: u8, b: u8) -> bool {
    a.eq_ignore_ascii_case(&b)
}

/// How much of a string was looked at to find something of `len` bytes in it.
///
/// # Safety
/// It is a string.
unsafe fn seen(text: *const c_char, found: *const c_char, len: usize) -> usize {
    if found.is_null() {
        // SAFETY: by the caller's promise.
        unsafe { length(text) + 1 }
    } else {
        found as usize - text as usize + len
    }
}

replaced! {
    strlen(text: *const c_char) -> usize, "rsi", |call, real| {
        let len = real(text);
        call.read(text, len + 1);
        len
    }

    strnlen(text: *const c_char, most: usize) -> usize, "rdx", |call, real| {
        let len = real(text, most);
        call.read(text, (len + 1).min(most));
        len
    }

    strcmp(a: *const c_char, b: *const c_char) -> c_int, "rdx", |call, real| {
        read_both(call, a, b, usize::MAX, is_equal);
        real(a, b)
    }

    strncmp(a: *const c_char, b: *const c_char, most: usize) -> c_int, "rcx", |call, real| {
        read_both(call, a, b, most, is_equal);
        real(a, b, most)
    }

    strcoll(a: *const c_char, b: *const c_char) -> c_int, "rdx", |call, real| {
        call.read_text(a);
        call.read_text(b);
        real(a, b)
    }

    strcasecmp(a: *const c_char, b: *const c_char) -> c_int, "rdx", |call, real| {
        read_both(call, a, b, usize::MAX, is_equal_in_any_case);
        real(a, b)
    }

    strncasecmp(a: *const c_char, b: *const c_char, most: usize) -> c_int, "rcx", |call, real| {
        read_both(call, a, b, most, is_equal_in_any_case);
        real(a, b, most)
    }

    strchr(text: *const c_char, byte: c_int) -> *mut c_char, "rdx", |call, real| {
        let found = real(text, byte);
        call.read(text, seen(text, found, 1));
        found
    }

    strchrnul(text: *const c_char, byte: c_int) -> *mut c_char, "rdx", |call, real| {
        let found = real(text, byte);
        call.read(text, seen(text, found, 1));
        found
    }

    strrchr(text: *const c_char, byte: c_int) -> *mut c_char, "rdx", |call, real| {
        call.read_text(text);
        real(text, byte)
    }

    strstr(text: *const c_char, part: *const c_char) -> *mut c_char, "rdx", |call, real| {
        let found = real(text, part);
        let len = call.read_text(part);
        call.read(text, seen(text, found, len));
        found
    }

    strcasestr(text: *const c_char, part: *const c_char) -> *mut c_char, "rdx", |call, real| {
        let found = real(text, part);
        let len = call.read_text(part);
        call.read(text, seen(text, found, len));
        found
    }

    strspn(text: *const c_char, set: *const c_char) -> usize, "rdx", |call, real| {
        let len = real(text, set);
        call.read_text(set);
        call.read(text, len + 1);
        len
    }

    strcspn(text: *const c_char, set: *const c_char) -> usize, "rdx", |call, real| {
        let len = real(text, set);
        call.read_text(set);
        call.read(text, len + 1);
        len
    }

    strpbrk(text: *const c_char, set: *const c_char) -> *mut c_char, "rdx", |call, real| {
        let found = real(text, set);
        call.read_text(set);
        call.read(text, seen(text, found, 1));
        found
    }
}
