//! Promises and isolated sections of the task library. Promises are not admitted: who waits for one
//! may wait for any task, and would have to be put aside.

use rosser_abi::executor::signature;
use rosser_detect::{Construct, DetectorKind};

use super::checked;
use crate::backtrace::Here;
use crate::sites::Sites;
use crate::stuck;

const _: signature::rosser_promise = rosser_promise;
const _: signature::rosser_isolated_begin = rosser_isolated_begin;
const _: signature::rosser_isolated_end = rosser_isolated_end;

/// A promise is set, or got, or a future is shared, at `pc`. Outside parallel regions they may be.
#[unsafe(no_mangle)]
pub extern "C" fn rosser_promise(pc: usize) {
    if checked::if_following().is_some() {
        stuck::refuse(Construct::Promise, DetectorKind::SfOrder, Here::at(pc));
    }
}

/// The current task begins an isolated section at `pc`. No other is under way.
#[unsafe(no_mangle)]
pub extern "C" fn rosser_isolated_begin(pc: usize) {
    if let Some(checked) = checked::if_following() {
        let result = checked.worker.isolated_begin(Sites::plain(pc));
        stuck::unless_exhausted(result, || Here::at(pc));
        checked.refresh();
    }
}

/// The current task ends its isolated section, which was begun at `pc`. No other has begun yet.
#[unsafe(no_mangle)]
pub extern "C" fn rosser_isolated_end(pc: usize) {
    if let Some(checked) = checked::if_following() {
        let result = checked.worker.isolated_end(Sites::plain(pc));
        stuck::unless_exhausted(result, || Here::at(pc));
        checked.refresh();
    }
}
