//! Threads that the program starts beside the checked one.
//!
//! They run as always and are not checked; the verdict has to say so. A test harness runs each test
//! in a thread of its own, one after the other: such a thread is not *beside* anything. So in a
//! harness a thread counts only if it was started by a thread that was itself started, or while
//! another was running, or if it is running when a parallel region begins elsewhere.

use std::cell::Cell;
use std::ffi::{c_char, c_int, c_void};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

use rosser_abi::run_file::header;

use crate::{run_file, system};

// Counts of threads, for a sentence of the verdict: relaxed. They say how many, not what those have done.

static RUNNING: AtomicI64 = AtomicI64::new(0);
/// Threads that were started while no other ran and have not been counted.
static ALONE: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static STARTED: Cell<bool> = const { Cell::new(false) };
}

pub type Start = extern "C" fn(*mut c_void) -> *mut c_void;

struct Plan {
    start: Start,
    argument: *mut c_void,
}

pub type Create = unsafe extern "C" fn(*mut usize, *const c_void, Start, *mut c_void) -> c_int;

/// The C library's own `pthread_create`: a thread that it starts is none of the program's.
pub fn real_create() -> Create {
    unsafe extern "C" {
        fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
    }
    const NEXT: *mut c_void = -1_isize as *mut c_void;
    // SAFETY: a C string, and the handle that means the libraries after this executable.
    let real = unsafe { dlsym(NEXT, c"pthread_create".as_ptr()) };
    if real.is_null() {
        system::fail("the C library has no pthread_create", 2);
    }
    // SAFETY: the C library's function has this type.
    unsafe { std::mem::transmute::<*mut c_void, Create>(real) }
}

/// As in POSIX.
///
/// # Safety
/// As in POSIX.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_create(
    thread: *mut usize,
    attributes: *const c_void,
    start: Start,
    argument: *mut c_void,
) -> c_int {
    let real = real_create();
    let running = RUNNING.fetch_add(1, Relaxed);
    if running > 0 || STARTED.get() {
        run_file::add(header::OTHER_THREADS, 1);
    } else {
        ALONE.fetch_add(1, Relaxed);
    }
    let plan = Box::into_raw(Box::new(Plan { start, argument }));
    // SAFETY: by the caller's promise; the new thread takes the plan.
    let result = unsafe { real(thread, attributes, run, plan.cast()) };
    if result != 0 {
        RUNNING.fetch_sub(1, Relaxed);
        // SAFETY: no thread has taken the plan.
        drop(unsafe { Box::from_raw(plan) });
    }
    result
}

extern "C" fn run(plan: *mut c_void) -> *mut c_void {
    // SAFETY: made by `pthread_create` for this thread.
    let plan = unsafe { Box::from_raw(plan.cast::<Plan>()) };
    let (start, argument) = (plan.start, plan.argument);
    drop(plan);
    STARTED.set(true);
    let result = start(argument);
    RUNNING.fetch_sub(1, Relaxed);
    result
}

/// A parallel region begins in the calling thread: others that run now are beside it.
pub fn note_region(in_harness: bool) {
    if !in_harness {
        run_file::add(header::OTHER_THREADS, ALONE.swap(0, Relaxed));
    }
    let others = RUNNING.load(Relaxed) - i64::from(STARTED.get());
    if others > 0 {
        run_file::raise(header::OTHER_THREADS, others as u64);
    }
}
