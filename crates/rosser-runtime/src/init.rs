//! The beginning and the end of a checked program.

use std::ffi::{c_char, c_int};

use rosser_abi::run_file::{header, state};

use crate::{blocks, checked, findings, run_file, shadow, system};

/// Called by the loader before any other code of the program.
extern "C" fn init(
    count: c_int,
    arguments: *const *const c_char,
    environment: *const *const c_char,
) {
    shadow::map_idle_cell();
    // SAFETY: the loader passes what it passes to `main`.
    unsafe { run_file::create(count, arguments, environment) };
    if !run_file::is_open() {
        return;
    }
    blocks::init();
    checked::init();
    // SAFETY: the handlers stay valid. If registering fails, the run counts as killed.
    unsafe {
        system::atexit(at_exit);
        system::pthread_atfork(None, None, Some(after_fork));
    }
}

#[used]
#[unsafe(link_section = ".preinit_array")]
static INIT: extern "C" fn(c_int, *const *const c_char, *const *const c_char) = init;

extern "C" fn at_exit() {
    checked::settle();
    note_end(state::ENDED);
}

/// The program ends, in a way that runs nothing of it afterwards. Returns whether that is noted: not by a process
/// whose run file belongs to another.
pub fn note_end(state: u64) -> bool {
    let is_own = run_file::is_own();
    if is_own {
        if let Some(checked) = checked::if_on() {
            checked.publish();
        }
        run_file::note_modules();
        run_file::set(header::STATE, state);
    }
    is_own
}

/// A forked child is checked like its parent, with a file of its own.
extern "C" fn after_fork() {
    run_file::create_for_child();
    findings::forget_all();
    checked::inherit();
}
