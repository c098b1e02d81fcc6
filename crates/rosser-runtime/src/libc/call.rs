//! Calls of functions of the C library: who made them, and the function that does the work.

use std::ffi::{CStr, c_char, c_void};
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use rosser_abi::checks::Kind::LibraryCall;
use rosser_detect::kind::Kind;

use crate::backtrace::{Here, frame_pointer};
use crate::left_out::is_left_out;
use crate::own::{self, Busy};
use crate::{checked, shadow, system};

/// A call whose accesses are to be checked.
#[derive(Clone, Copy)]
pub struct Call {
    here: Here,
}

/// The call whose return address is at `slot`, if its accesses are to be checked. To be asked by the
/// function that the entry point has jumped to or called, or by one that this has jumped to or called.
#[inline(always)]
pub fn called(slot: usize) -> Option<Call> {
    if shadow::is_on() { Call::find(slot, frame_pointer()) } else { None }
}

impl Call {
    /// `frame` is the frame pointer of the function that asks.
    #[inline]
    fn find(slot: usize, frame: usize) -> Option<Self> {
        let here = Here::returning_at(slot);
        if own::is_own(here.pc) || is_left_out(LibraryCall) {
            return None;
        }
        // Either the caller's, or saved right below the return address.
        let saved = (slot - 8) as *const usize;
        // SAFETY: it is on the stack of this thread.
        let frame = if frame < slot { unsafe { *saved } } else { frame };
        let stack = checked::if_on()?.stack;
        // Code in C may have no frames and use the register for anything.
        let is_frame = frame > slot && frame + 16 <= stack.high && frame.is_multiple_of(8);
        Some(Self { here: Here { frame: if is_frame { frame } else { 0 }, ..here } })
    }

    /// The function reads so many bytes.
    #[inline]
    pub fn read<T>(self, at: *const T, len: usize) {
        let _busy = Busy::begin();
        if let Some(checked) = checked::if_on() {
            checked.read(at as usize, len, self.here);
        }
    }

    /// The function writes so many bytes.
    #[inline]
    pub fn write<T>(self, at: *const T, len: usize) {
        let _busy = Busy::begin();
        if let Some(checked) = checked::if_on() {
            checked.write(at as usize, len, Kind::Write, self.here);
        }
    }

    /// The function reads a string and the zero at its end. Returns its length.
    ///
    /// # Safety
    /// It is one.
    pub unsafe fn read_text(self, text: *const c_char) -> usize {
        // SAFETY: by the caller's promise.
        let len = unsafe { length(text) };
        self.read(text, len + 1);
        len
    }

    /// The function reads a string that has at most so many bytes, and the zero at its end if that is
    /// before. Returns its length.
    ///
    /// # Safety
    /// It is one.
    pub unsafe fn read_text_within(self, text: *const c_char, most: usize) -> usize {
        // SAFETY: by the caller's promise.
        let len = unsafe { length_within(text, most) };
        self.read(text, (len + 1).min(most));
        len
    }
}

/// The length of a string.
///
/// # Safety
/// It is one.
pub unsafe fn length(text: *const c_char) -> usize {
    // SAFETY: by the caller's promise.
    unsafe { CStr::from_ptr(text) }.count_bytes()
}

/// The length of a string that has at most so many bytes.
///
/// # Safety
/// It is one.
pub unsafe fn length_within(text: *const c_char, most: usize) -> usize {
    // SAFETY: by the caller's promise; none is looked at that comes after a zero.
    (0..most).find(|at| unsafe { *text.add(*at) } == 0).unwrap_or(most)
}

/// The next function of a name after the executable's.
pub struct Real {
    name: &'static CStr,
    address: AtomicPtr<c_void>,
}

impl Real {
    pub const fn new(name: &'static CStr) -> Self {
        Self { name, address: AtomicPtr::new(std::ptr::null_mut()) }
    }

    /// Its address. Relaxed: all threads find the same one, and nothing else depends on it.
    #[inline(always)]
    pub fn address(&self) -> *mut c_void {
        let known = self.address.load(Relaxed);
        if known.is_null() { self.find() } else { known }
    }

    /// Its address, if it is known and nothing is to be checked.
    #[inline(always)]
    pub fn unless_checked(&self) -> Option<*mut c_void> {
        let known = self.address.load(Relaxed);
        (!shadow::is_on() && !known.is_null()).then_some(known)
    }

    #[cold]
    #[inline(never)]
    fn find(&self) -> *mut c_void {
        unsafe extern "C" {
            fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
        }
        const NEXT: *mut c_void = -1_isize as *mut c_void;
        // SAFETY: a C string, and the handle that means the libraries after this executable.
        let found = unsafe { dlsym(NEXT, self.name.as_ptr()) };
        if found.is_null() {
            let name = self.name.to_str().unwrap_or_default();
            system::say_parts(&["rosser: the C library has no ", name, "\n"]);
            system::fail("the program cannot go on", 2);
        }
        self.address.store(found, Relaxed);
        found
    }
}

/// Defines functions that replace those of the C library. Each is given as it is declared there; then
/// comes the register of the argument after the last one, and what is done if the call is checked,
/// with the call and the real function.
macro_rules! replaced {
    ($($name:ident($($arg:ident: $type:ty),*) $(-> $result:ty)?, $register:literal,
        |$call:ident, $real:ident| $body:block)*) => {$(
        const _: () = {
            type Function = unsafe extern "C" fn($($type),*) $(-> $result)?;
            $crate::libc::call::real!($name);

            // With checks off it has nothing to save, and nothing to come back for.
            unsafe extern "C" fn inner($($arg: $type,)* slot: usize) $(-> $result)? {
                // SAFETY: the C library's function has this type; the rest is the caller's promise.
                unsafe {
                    let Some(real) = REAL.unless_checked() else { return slowly($($arg,)* slot) };
                    std::mem::transmute::<*mut std::ffi::c_void, Function>(real)($($arg),*)
                }
            }

            #[inline(never)]
            unsafe extern "C" fn slowly($($arg: $type,)* slot: usize) $(-> $result)? {
                // SAFETY: as above; what the body does is as safe as the caller has promised.
                unsafe {
                    let $real = std::mem::transmute::<*mut std::ffi::c_void, Function>(REAL.address());
                    let Some($call) = $crate::libc::call::called(slot) else {
                        return $real($($arg),*);
                    };
                    $body
                }
            }

            $crate::entry::with_return_address! {
                /// As in C.
                ///
                /// # Safety
                /// As in C.
                #[cfg_attr(rosser_weak, linkage = "weak")]
                $name($($arg: $type),*) $(-> $result)? [$register] => inner
            }
        };
    )*};
}

/// Defines `REAL`, the next function of a name.
macro_rules! real {
    ($name:ident) => {
        static REAL: $crate::libc::call::Real = $crate::libc::call::Real::new(
            match std::ffi::CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
                Ok(name) => name,
                Err(_) => panic!("a name has no zeros in it"),
            },
        );
    };
}

pub(crate) use {real, replaced};
