//! Ends of a program that run no exit handlers: `_exit`, and another program in its place.
//!
//! The run file says of each that it was the program's own will, so that it is not taken for killed. Functions
//! with any number of arguments are not here: a program that ends by `execl` counts as killed, which claims less.

use std::ffi::{c_char, c_int, c_void};

use rosser_abi::run_file::{header, state};

use super::call::real;
use crate::init::note_end;
use crate::{run_file, system};

type Texts = *const *const c_char;

/// As in POSIX.
///
/// # Safety
/// As in POSIX.
#[unsafe(no_mangle)]
#[cfg_attr(rosser_weak, linkage = "weak")]
pub unsafe extern "C" fn _exit(status: c_int) -> ! {
    end(status)
}

/// As in C.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
#[cfg_attr(rosser_weak, linkage = "weak")]
pub unsafe extern "C" fn _Exit(status: c_int) -> ! {
    end(status)
}

fn end(status: c_int) -> ! {
    note_end(state::ENDED);
    // SAFETY: ends the process.
    unsafe { system::exit_now(status) }
}

/// Defines functions that execute another program in place of this one, and return only if they cannot.
macro_rules! replacing {
    ($($name:ident($($arg:ident: $type:ty),*);)*) => {$(
        const _: () = {
            real!($name);

            #[doc = "As in POSIX."]
            ///
            /// # Safety
            /// As in POSIX.
            #[unsafe(no_mangle)]
            #[cfg_attr(rosser_weak, linkage = "weak")]
            pub unsafe extern "C" fn $name($($arg: $type),*) -> c_int {
                type Function = unsafe extern "C" fn($($type),*) -> c_int;
                // SAFETY: the C library's function has this type.
                let real = unsafe { std::mem::transmute::<*mut c_void, Function>(REAL.address()) };
                let is_noted = note_end(state::REPLACED);
                // SAFETY: by the caller's promise.
                let result = unsafe { real($($arg),*) };
                if is_noted {
                    run_file::set(header::STATE, state::RUNNING);
                }
                result
            }
        };
    )*};
}

replacing! {
    execve(path: *const c_char, arguments: Texts, environment: Texts);
    execv(path: *const c_char, arguments: Texts);
    execvp(file: *const c_char, arguments: Texts);
    execvpe(file: *const c_char, arguments: Texts, environment: Texts);
    fexecve(file: c_int, arguments: Texts, environment: Texts);
}
