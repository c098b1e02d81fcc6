//! Variables that the program asked to leave alone (the Nondeterminator's section 8).

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rosser_abi::executor::signature;
use rosser_abi::run_file::header;

use crate::backend::cells;
use crate::run_file;
use crate::words::words;

const _: signature::rosser_unmonitor = rosser_unmonitor;

/// Whether there ever was one. Relaxed: memory that is left alone is passed on by the program's own order, and with it
/// that this was set.
static ANY: AtomicBool = AtomicBool::new(false);

/// Leaves a variable unmonitored until its memory is freed. Words that are only partly its own
/// are left unmonitored as a whole.
///
/// # Safety
/// None needed; the variable is not accessed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rosser_unmonitor(address: *const u8, len: usize) {
    if !run_file::is_open() {
        return;
    }
    ANY.store(true, Relaxed);
    run_file::add(header::UNMONITORED, 1);
    for (word, _) in words(address as usize, len) {
        cells::leave_unmonitored(word);
    }
}

/// Memory has got a new owner: it is monitored again.
#[inline]
pub fn forget(address: usize, len: usize) {
    if ANY.load(Relaxed) {
        for (word, _) in words(address, len) {
            cells::monitor_again(word);
        }
    }
}
