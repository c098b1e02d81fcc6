//! Promises of pointers.
#![allow(unsafe_code, reason = "the interface is one of C")]

use std::ffi::{c_char, c_uint, c_void};

use rosser::raw::{self, NoValue, Value};

use crate::call::Call;
use crate::handle::{Life, Live};

/// How to free a value, when its promise or future is freed.
pub type Release = unsafe extern "C-unwind" fn(*mut c_void);

/// `rosser_promise`.
#[repr(C)]
pub struct Promise {
    life: Life,
    inner: raw::Promise,
}

impl Live for Promise {
    const KIND: &'static str = "promise";
    const MAGIC: u64 = u64::from_ne_bytes(*b"rosser:!");

    fn life(&self) -> &Life {
        &self.life
    }
}

/// Writes the reason why there is no value into a buffer of C's.
///
/// # Safety
/// The buffer must be null or have that size.
pub(crate) unsafe fn explain(reason: &NoValue, buffer: *mut c_char, size: usize) {
    let Some(room) = size.checked_sub(1).filter(|_| !buffer.is_null()) else { return };
    let text = reason.to_string();
    let mut end = text.len().min(room);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    // SAFETY: there is room for `end` bytes and one more, as the caller promises.
    unsafe {
        buffer.copy_from_nonoverlapping(text.as_ptr().cast(), end);
        buffer.add(end).write(0);
    }
}

/// `rosser_promise_new`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_promise_new_at(
    file: *const c_char,
    line: c_uint,
) -> *const Promise {
    // SAFETY: as `rosser.h` says.
    let at = unsafe { Call::new("rosser_promise_new", file, line) }.at();
    let promise = Promise { life: Life::begin::<Promise>(at), inner: raw::Promise::new(at) };
    Box::into_raw(Box::new(promise))
}

/// `rosser_promise_outside`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_promise_outside_at(
    file: *const c_char,
    line: c_uint,
) -> *const Promise {
    // SAFETY: as `rosser.h` says.
    let at = unsafe { Call::new("rosser_promise_outside", file, line) }.at();
    let promise = Promise { life: Life::begin::<Promise>(at), inner: raw::Promise::outside(at) };
    Box::into_raw(Box::new(promise))
}

/// `rosser_promise_set`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_promise_set_at(
    promise: *const Promise,
    value: *mut c_void,
    file: *const c_char,
    line: c_uint,
) {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_promise_set", file, line) };
    // SAFETY: as `rosser.h` says.
    let promise = unsafe { &call.handle(promise).inner };
    if let Err(first) = call.run(|| promise.set(Value(value.cast()), call.site())) {
        let made_at = promise.made_at();
        call.fail(format_args!("the promise made at {made_at} is already set: first at {first}"));
    }
}

/// `rosser_promise_try_set`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_promise_try_set_at(
    promise: *const Promise,
    value: *mut c_void,
    file: *const c_char,
    line: c_uint,
) -> bool {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_promise_try_set", file, line) };
    // SAFETY: as `rosser.h` says.
    let promise = unsafe { &call.handle(promise).inner };
    call.run(|| promise.set(Value(value.cast()), call.site())).is_ok()
}

/// `rosser_promise_get`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_promise_get_at(
    promise: *const Promise,
    file: *const c_char,
    line: c_uint,
) -> *mut c_void {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_promise_get", file, line) };
    // SAFETY: as `rosser.h` says.
    let promise = unsafe { &call.handle(promise).inner };
    match call.run(|| promise.get(call.site())) {
        Ok(value) => value.0.cast(),
        Err(reason) => call.fail(reason),
    }
}

/// `rosser_promise_wait`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_promise_wait_at(
    promise: *const Promise,
    value: *mut *mut c_void,
    report: *mut c_char,
    size: usize,
    file: *const c_char,
    line: c_uint,
) -> bool {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_promise_wait", file, line) };
    // SAFETY: as `rosser.h` says.
    let promise = unsafe { &call.handle(promise).inner };
    let result = call.run(|| promise.get(call.site()));
    match &result {
        // SAFETY: as `rosser.h` says.
        Ok(got) => unsafe { value.write(got.0.cast()) },
        // SAFETY: as `rosser.h` says.
        Err(reason) => unsafe { explain(reason, report, size) },
    }
    result.is_ok()
}

/// `rosser_promise_free`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_promise_free_at(
    promise: *mut Promise,
    release: Option<Release>,
    file: *const c_char,
    line: c_uint,
) {
    if promise.is_null() {
        return;
    }
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_promise_free", file, line) };
    // SAFETY: as `rosser.h` says.
    let value = unsafe { call.handle(promise) }.inner.value();
    if let (Some(release), Some(value)) = (release, value) {
        // SAFETY: the value is what the function is for, as the caller promises.
        unsafe { release(value.0.cast()) };
    }
    // SAFETY: as `rosser.h` says.
    unsafe { call.end(promise) };
}
