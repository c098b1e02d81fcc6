//! Numbers out of strings: what is read are the digits and what comes before and right after.

use std::ffi::{c_char, c_double, c_float, c_int, c_long, c_longlong, c_ulong, c_ulonglong};

use super::call::{Call, replaced};

type End = *mut *mut c_char;

/// A number was read up to `end`, where the caller wants to know that.
///
/// # Safety
/// `out` may be written, or is null.
unsafe fn ends(call: Call, text: *const c_char, end: *mut c_char, out: End) {
    call.read(text, end as usize - text as usize + 1);
    if !out.is_null() {
        call.write(out, size_of::<usize>());
        // SAFETY: by the caller's promise.
        unsafe { *out = end };
    }
}

/// How long a whole number is, with blanks and sign before and the byte after.
///
/// # Safety
/// It is in a string.
unsafe fn seen_of_whole(text: *const c_char) -> usize {
    // SAFETY: the string has not ended.
    let byte = |at| unsafe { *text.add(at) as u8 };
    let mut at = 0;
    while byte(at) == b' ' || (b'\t'..=b'\r').contains(&byte(at)) {
        at += 1;
    }
    at += usize::from(matches!(byte(at), b'+' | b'-'));
    while byte(at).is_ascii_digit() {
        at += 1;
    }
    at + 1
}

/// Defines functions with a base.
macro_rules! whole {
    ($($name:ident -> $result:ty;)*) => {
        replaced! {$(
            $name(text: *const c_char, out: End, base: c_int) -> $result, "rcx", |call, real| {
                let mut end = text.cast_mut();
                let number = real(text, &raw mut end, base);
                ends(call, text, end, out);
                number
            }
        )*}
    };
}

/// Defines functions of fractions.
macro_rules! fractions {
    ($($name:ident -> $result:ty;)*) => {
        replaced! {$(
            $name(text: *const c_char, out: End) -> $result, "rdx", |call, real| {
                let mut end = text.cast_mut();
                let number = real(text, &raw mut end);
                ends(call, text, end, out);
                number
            }
        )*}
    };
}

/// Defines functions that do not tell where they end.
macro_rules! simple {
    ($($name:ident -> $result:ty;)*) => {
        replaced! {$(
            $name(text: *const c_char) -> $result, "rsi", |call, real| {
                call.read(text, seen_of_whole(text));
                real(text)
            }
        )*}
    };
}

// The long names are what the C compiler makes of the short ones, depending on the standard.
whole! {
    strtol -> c_long;
    strtoll -> c_longlong;
    strtoul -> c_ulong;
    strtoull -> c_ulonglong;
    strtoimax -> c_longlong;
    strtoumax -> c_ulonglong;
    __isoc23_strtol -> c_long;
    __isoc23_strtoll -> c_longlong;
    __isoc23_strtoul -> c_ulong;
    __isoc23_strtoull -> c_ulonglong;
    __isoc23_strtoimax -> c_longlong;
    __isoc23_strtoumax -> c_ulonglong;
}

fractions! {
    strtod -> c_double;
    strtof -> c_float;
}

simple! {
    atoi -> c_int;
    atol -> c_long;
    atoll -> c_longlong;
}

replaced! {
    // The real function does not tell where it ends, but this one does.
    atof(text: *const c_char) -> c_double, "rsi", |call, real| {
        unsafe extern "C" {
            fn strtod(text: *const c_char, end: End) -> c_double;
        }
        let mut end = text.cast_mut();
        strtod(text, &raw mut end);
        call.read(text, end as usize - text as usize + 1);
        real(text)
    }
}
