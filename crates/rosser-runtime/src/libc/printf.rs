//! `printf` and the like: the format and the strings that are printed are read, the text is written.

use std::ffi::{c_char, c_int, c_void};

use super::arguments::{Arguments, List, formatted, variadic};
use super::call::{Call, called, real};
use super::directives::{Amount, Directives, Purpose, Size};

/// What is done to print, but for the text itself.
///
/// # Safety
/// As `printf`.
unsafe fn reads(call: Call, format: *const c_char, mut list: Arguments) {
    // SAFETY: by the caller's promise, the arguments are what the format says.
    unsafe {
        call.read_text(format);
        for directive in Directives::of(format, Purpose::Printing) {
            if directive.width == Amount::Argument {
                list.next();
            }
            let most = match directive.precision {
                Amount::Any => None,
                Amount::Fixed(most) => Some(most),
                // A negative one counts as none.
                Amount::Argument => usize::try_from(list.next() as c_int).ok(),
            };
            match (directive.letter, directive.size) {
                (b'm', _) => {}
                (b'e' | b'f' | b'g' | b'a' | b'E' | b'F' | b'G' | b'A', Size::Longest) => {
                    list.skip_long_float();
                }
                (b'e' | b'f' | b'g' | b'a' | b'E' | b'F' | b'G' | b'A', _) => list.skip_float(),
                (b's', Size::Usual) => {
                    let text = list.next() as *const c_char;
                    if !text.is_null() {
                        call.read_text_within(text, most.unwrap_or(usize::MAX));
                    }
                }
                (b'n', size) => call.write(list.next() as *const u8, size.of_whole()),
                _ => _ = list.next(),
            }
        }
    }
}

/// Defines functions that print with a list of arguments, and those that print with any number of
/// them. What is done with the text comes last, with the call and how long the text is.
macro_rules! printing {
    ($($name:ident, $listed:ident($($arg:ident: $type:ty),*; $format:ident),
        $given:literal, $list:literal, $slot:literal,
        |$call:ident, $len:ident| $text:block)*) => {$(
        formatted! {
            $name, $listed($($arg: $type),*; $format), $given, $list, $slot,
            |$call, arguments| reads($call, $format, arguments), |$len| $text
        }
    )*};
}

/// The text is in memory that has room for so much, with the zero at its end.
fn fills(call: Call, to: *const c_char, room: usize, len: usize) {
    call.write(to, (len + 1).min(room));
}

printing! {
    printf, vprintf(; format), "8", "rsi", "rdx", |_call, _len| {}
    fprintf, vfprintf(file: *mut c_void; format), "16", "rdx", "rcx", |_call, _len| {}
    dprintf, vdprintf(file: c_int; format), "16", "rdx", "rcx", |_call, _len| {}

    sprintf, vsprintf(to: *mut c_char; format), "16", "rdx", "rcx", |call, len| {
        fills(call, to, usize::MAX, len);
    }

    snprintf, vsnprintf(to: *mut c_char, room: usize; format), "24", "rcx", "r8", |call, len| {
        fills(call, to, room, len);
    }

    // The text is new, and nobody else's yet.
    asprintf, vasprintf(to: *mut *mut c_char; format), "16", "rdx", "rcx", |call, _len| {
        call.write(to, size_of::<usize>());
    }
}
