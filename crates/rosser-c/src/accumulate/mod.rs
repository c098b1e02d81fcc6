//! Accumulators: numbers with the operators of a list, and anything else with a function.
#![allow(unsafe_code, reason = "the interface is one of C")]

mod bytes;
mod exact;
mod number;

use std::ffi::{c_char, c_double, c_int, c_long, c_uint, c_void};

use rosser::{Accumulator, raw};

pub use self::bytes::Combine;
use self::bytes::{Combined, Function};
use self::number::{Number, Operation};
use crate::call::{Argument, Call};
use crate::handle::{Life, Live};

/// `rosser_long_accumulator`.
#[repr(C)]
pub struct Long {
    life: Life,
    inner: Accumulator<c_long, Operation>,
}

/// `rosser_double_accumulator`.
#[repr(C)]
pub struct Double {
    life: Life,
    inner: Accumulator<Number, Operation>,
}

/// `rosser_accumulator`.
#[repr(C)]
pub struct Bytes {
    life: Life,
    size: usize,
    inner: Accumulator<Combined, Function>,
}

impl Live for Long {
    const KIND: &'static str = "long accumulator";
    const MAGIC: u64 = u64::from_ne_bytes(*b"rosser:l");

    fn life(&self) -> &Life {
        &self.life
    }
}

impl Live for Double {
    const KIND: &'static str = "double accumulator";
    const MAGIC: u64 = u64::from_ne_bytes(*b"rosser:d");

    fn life(&self) -> &Life {
        &self.life
    }
}

impl Live for Bytes {
    const KIND: &'static str = "accumulator";
    const MAGIC: u64 = u64::from_ne_bytes(*b"rosser:a");

    fn life(&self) -> &Life {
        &self.life
    }
}

/// `rosser_long_accumulator_new`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_long_accumulator_new_at(
    operator: c_int,
    initial: c_long,
    file: *const c_char,
    line: c_uint,
) -> *const Long {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_long_accumulator_new", file, line) };
    let Some(operation) = Operation::of_long(operator) else {
        call.fail(format_args!("there is no operator {operator} for a long accumulator"));
    };
    let inner = Accumulator::new(operation, initial);
    Box::into_raw(Box::new(Long { life: Life::begin::<Long>(call.at()), inner }))
}

/// `rosser_accumulate_long`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_accumulate_long_at(
    accumulator: *const Long,
    value: c_long,
    file: *const c_char,
    line: c_uint,
) {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_accumulate_long", file, line) };
    // SAFETY: as `rosser.h` says.
    unsafe { call.handle(accumulator) }.inner.accumulate(value);
}

/// `rosser_accumulated_long`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_accumulated_long_at(
    accumulator: *const Long,
    file: *const c_char,
    line: c_uint,
) -> c_long {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_accumulated_long", file, line) };
    // SAFETY: as `rosser.h` says.
    raw::look(&unsafe { call.handle(accumulator) }.inner, |total| *total)
}

/// `rosser_long_accumulator_free`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_long_accumulator_free_at(
    accumulator: *mut Long,
    file: *const c_char,
    line: c_uint,
) {
    if !accumulator.is_null() {
        // SAFETY: as `rosser.h` says.
        unsafe { Call::new("rosser_long_accumulator_free", file, line).end(accumulator) };
    }
}

/// `rosser_double_accumulator_new`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_double_accumulator_new_at(
    operator: c_int,
    initial: c_double,
    file: *const c_char,
    line: c_uint,
) -> *const Double {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_double_accumulator_new", file, line) };
    let Some(operation) = Operation::of_double(operator) else {
        call.fail(format_args!("there is no operator {operator} for a double accumulator"));
    };
    let inner = Accumulator::new(operation, Number::new(initial));
    Box::into_raw(Box::new(Double { life: Life::begin::<Double>(call.at()), inner }))
}

/// `rosser_accumulate_double`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_accumulate_double_at(
    accumulator: *const Double,
    value: c_double,
    file: *const c_char,
    line: c_uint,
) {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_accumulate_double", file, line) };
    // SAFETY: as `rosser.h` says.
    unsafe { call.handle(accumulator) }.inner.accumulate(Number::new(value));
}

/// `rosser_accumulated_double`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_accumulated_double_at(
    accumulator: *const Double,
    file: *const c_char,
    line: c_uint,
) -> c_double {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_accumulated_double", file, line) };
    // SAFETY: as `rosser.h` says.
    raw::look(&unsafe { call.handle(accumulator) }.inner, Number::value)
}

/// `rosser_double_accumulator_free`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_double_accumulator_free_at(
    accumulator: *mut Double,
    file: *const c_char,
    line: c_uint,
) {
    if !accumulator.is_null() {
        // SAFETY: as `rosser.h` says.
        unsafe { Call::new("rosser_double_accumulator_free", file, line).end(accumulator) };
    }
}

/// `rosser_accumulator_new`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_accumulator_new_at(
    combine: Option<Combine>,
    context: *mut c_void,
    initial: *const c_void,
    size: usize,
    file: *const c_char,
    line: c_uint,
) -> *const Bytes {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_accumulator_new", file, line) };
    // SAFETY: the function can combine values of that size, as the caller promises.
    let function = unsafe { Function::new(call.function(combine), Argument::new(context)) };
    // SAFETY: there is a value of that size, as the caller promises.
    let inner = Accumulator::new(function, unsafe { Combined::copied(initial, size) });
    Box::into_raw(Box::new(Bytes { life: Life::begin::<Bytes>(call.at()), size, inner }))
}

/// `rosser_accumulate`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_accumulate_at(
    accumulator: *const Bytes,
    value: *const c_void,
    file: *const c_char,
    line: c_uint,
) {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_accumulate", file, line) };
    // SAFETY: as `rosser.h` says.
    let accumulator = unsafe { call.handle(accumulator) };
    // SAFETY: there is a value of that size, as the caller promises.
    let value = unsafe { Combined::copied(value, accumulator.size) };
    accumulator.inner.accumulate(value);
}

/// `rosser_accumulated`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_accumulated_at(
    accumulator: *const Bytes,
    value: *mut c_void,
    file: *const c_char,
    line: c_uint,
) {
    // SAFETY: as `rosser.h` says.
    let call = unsafe { Call::new("rosser_accumulated", file, line) };
    // SAFETY: as `rosser.h` says.
    let accumulator = unsafe { call.handle(accumulator) };
    // SAFETY: there is room for a value, as the caller promises.
    raw::look(&accumulator.inner, |total| unsafe { total.copy_to(value, accumulator.size) });
}

/// `rosser_accumulator_free`.
///
/// # Safety
/// As `rosser.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_accumulator_free_at(
    accumulator: *mut Bytes,
    file: *const c_char,
    line: c_uint,
) {
    if !accumulator.is_null() {
        // SAFETY: as `rosser.h` says.
        unsafe { Call::new("rosser_accumulator_free", file, line).end(accumulator) };
    }
}
