//! Spawn and sync, as in Cilk.
#![allow(unsafe_code, reason = "the interface is one of C")]

use std::ffi::{c_char, c_uint, c_void};

use rosser::raw::{self, Place};

use crate::call::{Argument, Call};
use crate::handle::{Life, Live, bury};

/// What a procedure does: `rosser_body`.
pub type Body = unsafe extern "C-unwind" fn(*const Procedure, *mut c_void);

/// A procedure that is under way: `rosser_procedure`.
#[repr(C)]
pub struct Procedure {
    life: Life,
    inner: *const rosser::Procedure<'static>,
}

impl Live for Procedure {
    const KIND: &'static str = "procedure";
    const MAGIC: u64 = u64::from_ne_bytes(*b"rosser:p");

    fn life(&self) -> &Life {
        &self.life
    }
}

impl Procedure {
    /// Runs a body as the procedure that is given.
    ///
    /// # Safety
    /// The body and its argument must belong together.
    unsafe fn run(inner: &rosser::Procedure<'static>, body: Body, arg: Argument, at: Place) {
        let this = Box::new(Self { life: Life::begin::<Self>(at), inner });
        // SAFETY: as the caller promises.
        unsafe { body(&raw const *this, arg.pointer()) };
        if this.life.end(at).is_err() {
            unreachable!("ended here alone");
        }
        bury(this);
    }

    fn inner(&self) -> &rosser::Procedure<'static> {
        // SAFETY: it lives as long as its body runs, and this ends with the body.
        unsafe { &*self.inner }
    }
}

/// `rosser_call`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_call_at(
    body: Option<Body>,
    arg: *mut c_void,
    file: *const c_char,
    line: c_uint,
) {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_call", file, line) };
    let (body, arg) = (call.function(body), Argument::new(arg));
    call.forbid_in_isolated();
    // SAFETY: body and argument belong together, as the caller promises.
    call.run(|| rosser::procedure(|p| unsafe { Procedure::run(p, body, arg, call.at()) }));
}

/// `rosser_spawn`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_spawn_at(
    p: *const Procedure,
    body: Option<Body>,
    arg: *mut c_void,
    file: *const c_char,
    line: c_uint,
) {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_spawn", file, line) };
    // SAFETY: as `rosser.h` says.
    let procedure = unsafe { call.handle(p) };
    let (body, arg) = (call.function(body), Argument::new(arg));
    call.forbid_in_isolated();
    call.run(|| {
        // SAFETY: body and argument belong together, as the caller promises.
        let child = move |p: &_| unsafe { Procedure::run(p, body, arg, call.at()) };
        raw::spawn_child(procedure.inner(), child, call.here());
    });
}

/// `rosser_sync`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_sync_at(p: *const Procedure, file: *const c_char, line: c_uint) {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_sync", file, line) };
    // SAFETY: as `rosser.h` says.
    let procedure = unsafe { call.handle(p) };
    call.forbid_in_isolated();
    call.run(|| procedure.inner().sync());
}
