//! Futures: tasks that return a pointer.
//!
//! A future belongs to the finish that its task belongs to, and is freed with it: in C nobody knows who
//! is the last to use one. The structured kind is got once, or shared, and that is noted with its
//! place; the shared kind is the same thing under another name.
#![allow(unsafe_code, reason = "the interface is one of C")]

use std::ffi::{c_char, c_uint, c_void};
use std::sync::OnceLock;
use std::sync::atomic::AtomicUsize;

use rosser::raw::{self, NoValue, Place, Value};

use crate::call::{Argument, Call};
use crate::handle::{Life, Live};
use crate::promise::{Release, explain};
use crate::register::Listed;
use crate::scope::{Finish, Handle};

/// What a task with a value does: `rosser_function`.
pub type Function = unsafe extern "C-unwind" fn(*const Handle, *mut c_void) -> *mut c_void;

/// `rosser_future` and `rosser_shared_future`.
#[repr(C)]
pub struct Future {
    life: Life,
    inner: raw::Future,
    touched: OnceLock<Touch>,
    arg: Argument,
    release: Option<Release>,
    finish: *const Finish,
    slot: AtomicUsize,
}

/// The one thing that is done with a future.
#[derive(Clone, Copy)]
enum Touch {
    Got(Place),
    Shared(Place),
}

impl Live for Future {
    const KIND: &'static str = "future";
    const MAGIC: u64 = u64::from_ne_bytes(*b"rosser:f");

    fn life(&self) -> &Life {
        &self.life
    }
}

impl Listed for Future {
    fn slot(&self) -> &AtomicUsize {
        &self.slot
    }
}

impl Future {
    fn touch(&self, touch: Touch, call: Call) {
        if self.touched.set(touch).is_ok() {
            return;
        }
        let (made_at, before) = (self.inner.made_at(), self.touched.get());
        match before.expect("it is set") {
            Touch::Got(at) => call.fail(format_args!(
                "the future made at {made_at} can be got once, and was got at {at} (share it first?)"
            )),
            Touch::Shared(at) => call.fail(format_args!(
                "the future made at {made_at} was shared at {at}: only what came of that can be got"
            )),
        }
    }

    /// Fails if it is to be got once.
    fn must_be_shared(&self, call: Call) {
        if !matches!(self.touched.get(), Some(Touch::Shared(_))) {
            call.fail(format_args!("the future made at {} was not shared", self.inner.made_at()));
        }
    }

    fn get(&self, call: Call) -> Result<Value, NoValue> {
        call.run(|| self.inner.get(call.site()))
    }

    /// Gets the value or ends the program.
    fn value(&self, call: Call) -> *mut c_void {
        match self.get(call) {
            Ok(value) => value.0.cast(),
            Err(reason) => call.fail(reason),
        }
    }

    /// Gets the value or reports why there is none.
    ///
    /// # Safety
    /// `value` must be valid for a write, and `report` null or a buffer of that size.
    unsafe fn wait(
        &self,
        call: Call,
        value: *mut *mut c_void,
        report: *mut c_char,
        size: usize,
    ) -> bool {
        let result = self.get(call);
        match &result {
            // SAFETY: as the caller promises.
            Ok(got) => unsafe { value.write(got.0.cast()) },
            // SAFETY: as the caller promises.
            Err(reason) => unsafe { explain(reason, report, size) },
        }
        result.is_ok()
    }

    /// # Safety
    /// It must be in no register, its task have ended, and nobody use it any more.
    pub(crate) unsafe fn free(this: *mut Self, call: Call) {
        // SAFETY: as the caller promises.
        let Self { arg, release, .. } = unsafe { &*this };
        if let Some(release) = release {
            // SAFETY: the argument belongs to that function, and the task is through with it.
            unsafe { release(arg.pointer()) };
        }
        // SAFETY: as the caller promises; it came from a box.
        unsafe { call.end(this) };
    }
}

/// `rosser_async_future`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_async_future_at(
    s: *const Handle,
    function: Option<Function>,
    arg: *mut c_void,
    release: Option<Release>,
    file: *const c_char,
    line: c_uint,
) -> *const Future {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_async_future", file, line) };
    // SAFETY: as `rosser.h` says.
    let handle = unsafe { call.handle(s) };
    let (function, arg, member) = (call.function(function), Argument::new(arg), handle.member());
    call.forbid_in_isolated();
    // SAFETY: function and argument belong together, as the caller promises.
    let body = move || Value(unsafe { function(member.pointer(), arg.pointer()) }.cast());
    // SAFETY: the scope has not ended, as the caller promises.
    let inner = call.run(|| raw::Future::spawn(unsafe { handle.tasks() }, body, call.site()));
    let future = Box::into_raw(Box::new(Future {
        life: Life::begin::<Future>(call.at()),
        inner,
        touched: OnceLock::new(),
        arg,
        release,
        finish: handle.finish(),
        slot: AtomicUsize::new(0),
    }));
    // SAFETY: it is freed by its finish, or taken out before.
    unsafe { (*handle.finish()).futures.add(future) };
    future
}

/// `rosser_future_get`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_future_get_at(
    future: *const Future,
    file: *const c_char,
    line: c_uint,
) -> *mut c_void {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_future_get", file, line) };
    // SAFETY: as `rosser.h` says.
    let future = unsafe { call.handle(future) };
    future.touch(Touch::Got(call.at()), call);
    future.value(call)
}

/// `rosser_future_wait`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_future_wait_at(
    future: *const Future,
    value: *mut *mut c_void,
    report: *mut c_char,
    size: usize,
    file: *const c_char,
    line: c_uint,
) -> bool {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_future_wait", file, line) };
    // SAFETY: as `rosser.h` says.
    let future = unsafe { call.handle(future) };
    future.touch(Touch::Got(call.at()), call);
    // SAFETY: as `rosser.h` says.
    unsafe { future.wait(call, value, report, size) }
}

/// `rosser_future_share`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_future_share_at(
    future: *const Future,
    file: *const c_char,
    line: c_uint,
) -> *const Future {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_future_share", file, line) };
    // SAFETY: as `rosser.h` says.
    unsafe { call.handle(future) }.touch(Touch::Shared(call.at()), call);
    future
}

/// `rosser_future_free`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_future_free_at(
    future: *mut Future,
    file: *const c_char,
    line: c_uint,
) {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_future_free", file, line) };
    // SAFETY: as `rosser.h` says.
    let this = unsafe { call.handle(future) };
    if !matches!(this.touched.get(), Some(Touch::Got(_))) {
        call.fail(format_args!(
            "the future made at {} was not got: its finish will free it",
            this.inner.made_at()
        ));
    }
    // SAFETY: a future is used inside its finish, and was listed there. It has been got, so its task
    // is through.
    unsafe {
        (*this.finish).futures.remove(future);
        Future::free(future, call);
    }
}

/// `rosser_shared_future_get`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_shared_future_get_at(
    future: *const Future,
    file: *const c_char,
    line: c_uint,
) -> *mut c_void {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_shared_future_get", file, line) };
    // SAFETY: as `rosser.h` says.
    let future = unsafe { call.handle(future) };
    future.must_be_shared(call);
    future.value(call)
}

/// `rosser_shared_future_wait`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_shared_future_wait_at(
    future: *const Future,
    value: *mut *mut c_void,
    report: *mut c_char,
    size: usize,
    file: *const c_char,
    line: c_uint,
) -> bool {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_shared_future_wait", file, line) };
    // SAFETY: as `rosser.h` says.
    let future = unsafe { call.handle(future) };
    future.must_be_shared(call);
    // SAFETY: as `rosser.h` says.
    unsafe { future.wait(call, value, report, size) }
}
