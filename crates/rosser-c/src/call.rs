//! One call of a function of the interface: its name, where it was made, and how it can fail.
#![allow(unsafe_code, reason = "C passes its file names as pointers")]

use std::any::Any;
use std::ffi::{CStr, c_char, c_uint, c_void};
use std::fmt;
use std::io::{self, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::sync::{Mutex, PoisonError};

use rosser::raw::{self, Here, Place, Site};

use crate::handle::{Life, Live, bury};

/// What a task is given. Whatever it is, it is nobody's business here.
#[derive(Clone, Copy)]
pub(crate) struct Argument(*mut c_void);

// SAFETY: an address. What is done with it in other tasks is up to the program.
unsafe impl Send for Argument {}
// SAFETY: the same.
unsafe impl Sync for Argument {}

impl Argument {
    pub(crate) fn new(pointer: *mut c_void) -> Self {
        Self(pointer)
    }

    pub(crate) fn pointer(self) -> *mut c_void {
        self.0
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Call {
    function: &'static str,
    site: Site,
}

impl Call {
    /// # Safety
    /// `file` must be null or a string that lives as long as the program, as `__FILE__` does.
    #[allow(clippy::inline_always, reason = "it asks where its caller returns to")]
    #[inline(always)]
    pub(crate) unsafe fn new(function: &'static str, file: *const c_char, line: c_uint) -> Self {
        let file = if file.is_null() {
            c"(unknown)"
        } else {
            // SAFETY: as the caller promises.
            unsafe { CStr::from_ptr(file) }
        };
        // Some address within the call, which is before the one that it returns to.
        let here = Here::at(return_address().wrapping_sub(1));
        Self { function, site: Site { place: Place::in_c(file, line), here } }
    }

    pub(crate) fn at(self) -> Place {
        self.site.place
    }

    pub(crate) fn here(self) -> Here {
        self.site.here
    }

    pub(crate) fn site(self) -> Site {
        self.site
    }

    /// What a pointer points to, if it is what it should be.
    ///
    /// # Safety
    /// The pointer must be null, or point to something that was made here and lives, or was not freed
    /// long ago.
    pub(crate) unsafe fn handle<'a, T: Live>(self, pointer: *const T) -> &'a T {
        // SAFETY: as the caller promises. Everything that is given out begins with a life, so this may be
        // looked at before it is known to be what it should.
        let Some(life) = (unsafe { pointer.cast::<Life>().as_ref() }) else {
            self.fail(format_args!("{} was given a null pointer for a {}", self.function, T::KIND));
        };
        if let Err(wrong) = life.check(T::MAGIC) {
            self.fail(format_args!("{} was given a {} {wrong}", self.function, T::KIND));
        }
        // SAFETY: it is one, and lives.
        unsafe { &*pointer }
    }

    /// Ends and frees what a pointer points to.
    ///
    /// # Safety
    /// As for [`handle`](Self::handle); it must have come from a box, and nobody may be using it.
    pub(crate) unsafe fn end<T: Live + 'static>(self, pointer: *mut T) {
        // SAFETY: as the caller promises.
        if let Err(wrong) = unsafe { self.handle(pointer) }.life().end(self.at()) {
            self.fail(format_args!("{} was given a {} {wrong}", self.function, T::KIND));
        }
        // SAFETY: it came from a box, and only one caller ends it.
        bury(unsafe { Box::from_raw(pointer) });
    }

    /// A function of the program, which must not be null.
    pub(crate) fn function<T>(self, pointer: Option<T>) -> T {
        pointer.unwrap_or_else(|| {
            self.fail(format_args!("{} was given a null pointer for a function", self.function))
        })
    }

    /// Fails inside an isolated section.
    pub(crate) fn forbid_in_isolated(self) {
        if raw::is_isolated() {
            self.fail(format_args!(
                "{} inside an isolated section: every other section would wait",
                self.function
            ));
        }
    }

    /// Calls what could panic, though it should not.
    pub(crate) fn run<R>(self, f: impl FnOnce() -> R) -> R {
        catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|payload| {
            self.fail(format_args!("{} failed: {}", self.function, text(&*payload)))
        })
    }

    /// Ends the program.
    #[cold]
    pub(crate) fn fail(self, message: impl fmt::Display) -> ! {
        static FAILING: Mutex<()> = Mutex::new(());
        // One message is enough: whoever else fails waits here for the end.
        let _failing = FAILING.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writeln!(io::stderr(), "rosser: {}: {message}", self.at());
        process::abort()
    }
}

/// Where the function returns to that this is inlined into. The detector wants to know.
#[cfg(rosser)]
#[inline(always)]
fn return_address() -> usize {
    let address;
    // SAFETY: under the detector everything is compiled with frame pointers, and the return address is
    // right above where the caller's is saved.
    unsafe {
        std::arch::asm!(
            "mov {}, [rbp + 8]",
            out(reg) address,
            options(readonly, nostack, preserves_flags)
        );
    }
    address
}

/// Nobody wants to know.
#[cfg(not(rosser))]
fn return_address() -> usize {
    0
}

/// What a panic says.
fn text(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic")
}
