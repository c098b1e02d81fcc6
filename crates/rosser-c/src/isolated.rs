//! Sections that exclude one another.
#![allow(unsafe_code, reason = "the interface is one of C")]

use std::ffi::{c_char, c_uint, c_void};

use rosser::raw;

use crate::call::Call;

/// What is done in a section: `rosser_section`.
pub type Section = unsafe extern "C-unwind" fn(*mut c_void);

/// `rosser_isolated`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_isolated_at(
    section: Option<Section>,
    arg: *mut c_void,
    file: *const c_char,
    line: c_uint,
) {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_isolated", file, line) };
    let section = call.function(section);
    // SAFETY: function and argument belong together, as the caller promises.
    call.run(|| raw::isolated(|| unsafe { section(arg) }, call.here()));
}
