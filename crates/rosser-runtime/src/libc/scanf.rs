//! `sscanf` and the like: the text is read, and what the arguments point to is written.

use std::ffi::{c_char, c_int, c_void};

use super::arguments::{Arguments, List, formatted, variadic};
use super::call::{Call, called, length, real};
use super::directives::{Amount, Directive, Directives, Purpose};

/// What is written by a call that has filled in so many arguments.
///
/// # Safety
/// As `scanf`, which has returned.
unsafe fn writes(call: Call, format: *const c_char, mut list: Arguments, filled: usize) {
    let mut done = 0;
    // SAFETY: by the caller's promise, the arguments are what the format says.
    unsafe {
        for directive in Directives::of(format, Purpose::Scanning) {
            if directive.is_dropped {
                continue;
            }
            if done > filled {
                return;
            }
            let to = list.next() as *const c_char;
            if directive.letter == b'n' {
                // Not counted; whether it was reached after the last that was is not known.
                call.write(to, if done < filled { directive.size.of_whole() } else { 0 });
            } else {
                done += 1;
                if done <= filled {
                    call.write(to, written(directive, to));
                }
            }
        }
    }
}

/// How many bytes a directive has written.
///
/// # Safety
/// It has.
unsafe fn written(directive: Directive, to: *const c_char) -> usize {
    match directive.letter {
        _ if directive.allocates => size_of::<usize>(),
        // SAFETY: by the caller's promise.
        b's' | b'[' => unsafe { length(to) + 1 },
        b'c' => match directive.width {
            Amount::Fixed(width) => width,
            _ => 1,
        },
        b'p' => size_of::<usize>(),
        b'e' | b'f' | b'g' | b'a' | b'E' | b'F' | b'G' | b'A' => directive.size.of_float(),
        _ => directive.size.of_whole(),
    }
}

/// Defines functions that scan with a list of arguments, and those that scan with any number of them.
/// What is done to get at the text comes last, with the call.
macro_rules! scanning {
    ($($name:ident, $listed:ident($($arg:ident: $type:ty),*; $format:ident),
        $given:literal, $list:literal, $slot:literal,
        |$call:ident| $text:block)*) => {$(
        formatted! {
            $name, $listed($($arg: $type),*; $format), $given, $list, $slot,
            |$call, arguments| {
                $call.read_text($format);
                $text
            },
            |filled| writes($call, $format, arguments, filled)
        }
    )*};
}

// The long names are what the C compiler makes of the short ones, depending on the standard. The C
// library looks for the end of the text before anything else.
scanning! {
    sscanf, vsscanf(text: *const c_char; format), "16", "rdx", "rcx", |call| {
        call.read_text(text);
    }
    __isoc99_sscanf, __isoc99_vsscanf(text: *const c_char; format), "16", "rdx", "rcx", |call| {
        call.read_text(text);
    }
    __isoc23_sscanf, __isoc23_vsscanf(text: *const c_char; format), "16", "rdx", "rcx", |call| {
        call.read_text(text);
    }

    scanf, vscanf(; format), "8", "rsi", "rdx", |call| {}
    __isoc99_scanf, __isoc99_vscanf(; format), "8", "rsi", "rdx", |call| {}
    __isoc23_scanf, __isoc23_vscanf(; format), "8", "rsi", "rdx", |call| {}

    fscanf, vfscanf(file: *mut c_void; format), "16", "rdx", "rcx", |call| {}
    __isoc99_fscanf, __isoc99_vfscanf(file: *mut c_void; format), "16", "rdx", "rcx", |call| {}
    __isoc23_fscanf, __isoc23_vfscanf(file: *mut c_void; format), "16", "rdx", "rcx", |call| {}
}
