//! Variables that the program asked to leave alone (the Nondeterminator's section 8).

use rosser_runfile::header;
use rosser_shadow::cell::Cell;

use crate::checked::words;
use crate::run_file;
use crate::shadow::cell_of;

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
    run_file::add(header::UNMONITORED, 1);
    for (word, _) in words(address as usize, len) {
        // SAFETY: the cell is mapped; other threads do not look at it.
        unsafe { cell_of(word).write(Cell::UNMONITORED) };
    }
}
