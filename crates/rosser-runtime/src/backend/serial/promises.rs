//! Promises and isolated sections, for task libraries.
//!
//! A library keeps with each promise where it was set. It calls [`rosser_promise_set`] when the value
//! is there, before anybody who waits goes on, and [`rosser_promise_get`] whenever a task has got it.

use rosser_abi::checks::Kind;
use rosser_abi::executor::{self, signature};
use rosser_detect::serial::switching::SetPoint;

use crate::backend::serial::other::Other;
use crate::backend::serial::stacks::ok;
use crate::backtrace::Here;
use crate::checked::{self, Checked};
use crate::left_out::is_left_out;
use crate::sites::Sites;

const _: signature::rosser_promise_set = rosser_promise_set;
const _: signature::rosser_promise_get = rosser_promise_get;
const _: signature::rosser_promise_set_again = rosser_promise_set_again;
const _: signature::rosser_isolated_begin = rosser_isolated_begin;
const _: signature::rosser_isolated_end = rosser_isolated_end;
// Any bits are a point of either type.
const _: () = assert!(
    size_of::<executor::SetPoint>() == size_of::<SetPoint>()
        && align_of::<executor::SetPoint>() == align_of::<SetPoint>()
);

/// Who is told of a boundary of this kind, if anybody is.
fn told(kind: Kind) -> Option<&'static mut Checked> {
    if is_left_out(kind) { None } else { checked::if_following() }
}

/// The current task sets a promise, at `pc`. The point is written.
///
/// # Safety
/// The point may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_promise_set(point: *mut executor::SetPoint, pc: usize) {
    let mut at = SetPoint::default();
    if let Some(checked) = told(Kind::PromiseSet) {
        // Who gets it may be told where variables of the task are.
        checked.share_stack();
        at = ok(checked.engine.promise_set(Sites::plain(pc)), pc);
        let name = at.name(checked.engine.region());
        checked.tell_other_at(pc, |other| other.promise_set(name));
        checked.refresh();
    }
    // SAFETY: by the caller's promise.
    unsafe { point.cast::<SetPoint>().write(at) };
}

/// The current task goes on, at `pc`, after getting a promise that was set at the point.
///
/// # Safety
/// The point may be read, and was written by [`rosser_promise_set`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_promise_get(point: *const executor::SetPoint, pc: usize) {
    if let Some(checked) = told(Kind::PromiseGet) {
        // SAFETY: by the caller's promise.
        let point = unsafe { *point.cast::<SetPoint>() };
        ok(checked.engine.promise_get(point, Sites::plain(pc)), pc);
        let name = point.name(checked.engine.region());
        checked.tell_other_at(pc, |other| other.promise_get(name));
        checked.rest();
    }
}

/// The current task tries, at `pc`, to set a promise that was set at the point before. `address`
/// stands for the promise.
///
/// # Safety
/// The point may be read, and was written by [`rosser_promise_set`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_promise_set_again(
    point: *const executor::SetPoint,
    address: usize,
    pc: usize,
) {
    if let Some(checked) = checked::if_following() {
        // SAFETY: by the caller's promise.
        checked.engine.promise_set_again(unsafe { *point.cast::<SetPoint>() });
        checked.report_conflicts(address, Here::at(pc));
    }
}

/// The current task begins an isolated section at `pc`.
#[unsafe(no_mangle)]
pub extern "C" fn rosser_isolated_begin(pc: usize) {
    if let Some(checked) = told(Kind::Isolated) {
        ok(checked.engine.isolated_begin(Sites::plain(pc)), pc);
        checked.tell_other_at(pc, Other::isolated_begin);
        checked.refresh();
    }
}

/// The current task ends its isolated section, which was begun at `pc`.
#[unsafe(no_mangle)]
pub extern "C" fn rosser_isolated_end(pc: usize) {
    if let Some(checked) = told(Kind::Isolated) {
        ok(checked.engine.isolated_end(Sites::plain(pc)), pc);
        checked.tell_other_at(pc, Other::isolated_end);
        checked.refresh();
    }
}
