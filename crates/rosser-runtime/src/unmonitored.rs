//! Variables that the program asked to leave alone (the Nondeterminator's section 8).

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rosser_runfile::header;
use rosser_shadow::cell::Cell;

use crate::ranges::words;
use crate::run_file;
use crate::shadow::cell_of;

/// Whether there ever was one.
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
    set(address as usize, len, Cell::UNMONITORED);
}

/// Memory has got a new owner: it is monitored again.
#[inline]
pub fn forget(address: usize, len: usize) {
    if ANY.load(Relaxed) {
        set(address, len, Cell::default());
    }
}

fn set(address: usize, len: usize, value: Cell) {
    for (word, _) in words(address, len) {
        let cell = cell_of(word);
        // SAFETY: the cell is mapped. A thread that is not checked may be here as well: what it sets
        // is memory of its own, which no other thread uses at this time.
        unsafe {
            if value == Cell::UNMONITORED || *cell == Cell::UNMONITORED {
                cell.write(value);
            }
        }
    }
}
