//! Checks and boundaries that are left out on request, by `ROSSER_LEAVE_OUT`: tests see to it that each is missed.
//!
//! Those that the instrumentation stage puts in it leaves out itself, and has the program say so instead. Those that
//! are the runtime's own are left out here, those of tasks on one worker only. Either way the run file tells.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rosser_abi::checks::Kind;
use rosser_abi::run_file::header;

use crate::run_file;

/// The bit of the kind that was asked for. Relaxed: it is set before the program begins.
static REQUESTED: AtomicU64 = AtomicU64::new(0);

/// The kind with the given name is to be left out. If there is none, the stage has complained already.
pub fn request(name: &[u8]) {
    if let Some(kind) = Kind::named(name).filter(|kind| kind.is_of_runtime()) {
        REQUESTED.store(kind.bit(), Relaxed);
    }
}

/// Whether something of this kind is to be left out here and now, which the run file tells then.
#[inline(always)]
pub fn is_left_out(kind: Kind) -> bool {
    let is_requested = REQUESTED.load(Relaxed) & kind.bit() != 0;
    if is_requested {
        tell(kind);
    }
    is_requested
}

#[cold]
fn tell(kind: Kind) {
    run_file::add_bits(header::LEFT_OUT, kind.bit());
}

/// The program has no check of the kind with this number where it is.
#[unsafe(no_mangle)]
pub extern "C" fn rosser_leaves_out(number: u32) {
    if let Some(kind) = Kind::numbered(number) {
        tell(kind);
    }
}
