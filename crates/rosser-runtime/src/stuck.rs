//! Runs that cannot go on.
//!
//! In serial order a task may wait for one that has not run yet: for ever. A task that blocks in
//! the system is found out when every other thread of the program waits, too; one that spins, by
//! loading the same value at the same place again and again while nothing else happens. Either
//! ends the run with a report that says so.

use std::ffi::c_int;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use rosser_abi::run_file::{STOP_STACK, header, state, stop};
use rosser_detect::storage::Exhausted;
use rosser_detect::{Construct, DetectorKind};

use crate::backend::HAS_WORKERS;
use crate::backtrace::Here;
use crate::{checked, run_file, system};

/// The exit status of a run that was stopped because it cannot go on.
const STOPPED: i32 = 3;

/// Ends the run for the given reason, which is written into the run file.
#[cold]
#[inline(never)]
pub fn stop(reason: u64, here: Here) -> ! {
    note(reason, here);
    let message = match reason {
        stop::BLOCKED => {
            "the run was stopped: a task waits for something that, in serial order, nothing before \
             it does"
        }
        stop::SPINNING => {
            "the run was stopped: a task spins on a value that, in serial order, nothing before \
             it changes"
        }
        _ => "the run was stopped: too many accesses in one parallel region to remember",
    };
    system::fail(message, STOPPED)
}

/// The result, or the end of the run because there is no room for more. Where that is, is asked for only
/// then.
#[inline]
pub fn unless_exhausted<T>(result: Result<T, Exhausted>, here: impl FnOnce() -> Here) -> T {
    result.unwrap_or_else(|Exhausted| stop(stop::EXHAUSTED, here()))
}

/// Ends the run: the program does something that the chosen detector does not admit.
#[cold]
#[inline(never)]
pub fn refuse(construct: Construct, detector: DetectorKind, here: Here) -> ! {
    const START: [&str; 5] =
        ["rosser: the run was stopped: the detector ", "", " does not admit ", "", "; "];
    note(stop::NOT_ADMITTED, here);
    run_file::set(header::STOP_CONSTRUCT, construct.number());
    let mut parts = [""; START.len() + 2 * DetectorKind::ALL.len() + 1];
    parts[..START.len()].copy_from_slice(&START);
    (parts[1], parts[3]) = (detector.name(), construct.in_programs());
    let mut len = START.len();
    DetectorKind::say_who_admits(construct, |part| {
        parts[len] = part;
        len += 1;
    });
    parts[len] = "\n";
    system::say_parts(&parts[..=len]);
    // SAFETY: ends the process.
    unsafe { system::exit_now(STOPPED) }
}

/// Whether somebody is about to end the run. Relaxed: one gets it, and nobody else goes on.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Writes why and where the run is stopped into the run file. Of several workers one does.
fn note(reason: u64, here: Here) {
    while ENDING.swap(true, Relaxed) {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let bounds = checked::stack();
    run_file::set(header::STOP_STACK, here.pc as u64);
    let mut len = 1;
    for caller in here.callers(bounds).take(STOP_STACK - 1) {
        run_file::set(header::STOP_STACK + len, caller.return_address as u64);
        len += 1;
    }
    run_file::set(header::STOP_STACK_LEN, len as u64);
    run_file::set(header::STATE_DETAIL, reason);
    run_file::set(header::STATE, state::STOPPED);
    if let Some(checked) = checked::if_on() {
        checked.publish();
    }
}

// The C library's `syscall`, which the standard library calls to wait. A definition in assembly
// leaves its variable number of arguments alone.
std::arch::global_asm!(
    ".globl syscall",
    ".type syscall, @function",
    "syscall:",
    "cmp rdi, 202",
    "jne 2f",
    "push rdi",
    "push rsi",
    "push rdx",
    "push rcx",
    "push r8",
    "push r9",
    "sub rsp, 8",
    "mov rdi, rsi",
    "mov rsi, rdx",
    "mov rdx, rcx",
    "mov rcx, r8",
    "call {before_wait}",
    "add rsp, 8",
    "pop r9",
    "pop r8",
    "pop rcx",
    "pop rdx",
    "pop rsi",
    "pop rdi",
    "2:",
    "mov rax, rdi",
    "mov rdi, rsi",
    "mov rsi, rdx",
    "mov rdx, rcx",
    "mov r10, r8",
    "mov r8, r9",
    "mov r9, [rsp + 8]",
    "syscall",
    "cmp rax, -4095",
    "jae 3f",
    "ret",
    "3:",
    "neg rax",
    "push rax",
    "call {errno}@PLT",
    "pop rcx",
    "mov [rax], ecx",
    "mov rax, -1",
    "ret",
    before_wait = sym before_wait,
    errno = sym errno_location,
);

extern "C" fn errno_location() -> *mut c_int {
    // SAFETY: always valid.
    unsafe { system::__errno_location() }
}

/// A futex operation is about to be made. A wait without an end by the checked thread returns only
/// if there is someone who could wake it.
extern "C" fn before_wait(word: *const u32, operation: c_int, expected: u32, timeout: *const u8) {
    const WAIT: c_int = 0;
    const WAIT_BITSET: c_int = 9;
    let command = operation & 0x7f;
    // Of several workers, another may wake this one.
    if HAS_WORKERS
        || !timeout.is_null()
        || (command != WAIT && command != WAIT_BITSET)
        || checked::if_on().is_none()
    {
        return;
    }
    let mut idle = 0;
    // SAFETY: the word the program waits on.
    while unsafe { word.read_volatile() } == expected {
        idle = if others_wait() { idle + 1 } else { 0 };
        if idle > 10 {
            stop(stop::BLOCKED, Here { pc: 0, sp: 0, frame: 0 });
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

/// Whether every other thread of the process waits in a futex.
fn others_wait() -> bool {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else { return false };
    let own = own_thread();
    tasks.flatten().all(|task| {
        let id = task.file_name();
        if id.to_str().and_then(|id| id.parse().ok()) == Some(own) {
            return true;
        }
        let call = std::fs::read_to_string(task.path().join("syscall")).unwrap_or_default();
        call.starts_with("202 ")
    })
}

fn own_thread() -> i64 {
    let id: i64;
    // SAFETY: `gettid` has no arguments and always succeeds.
    unsafe {
        std::arch::asm!("syscall", inlateout("rax") 186_i64 => id, out("rcx") _, out("r11") _);
    }
    id
}
