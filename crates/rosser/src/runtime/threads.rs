//! What the other threads of the process are doing.

use std::fs;

/// Whether every other thread of the process sleeps, for as long as it takes, until another wakes it. If
/// it cannot be found out, some may be busy.
pub(super) fn all_others_sleep() -> bool {
    let Ok(threads) = fs::read_dir("/proc/self/task") else { return false };
    let (mut asleep, mut all) = (0, 0);
    for thread in threads.flatten() {
        let call = fs::read_to_string(thread.path().join("syscall")).unwrap_or_default();
        asleep += usize::from(waits_without_end(&call));
        all += 1;
    }
    // The calling thread is not.
    asleep + 1 == all
}

/// Of a line of `/proc/…/syscall`: whether it is a futex operation without a time limit.
fn waits_without_end(call: &str) -> bool {
    const FUTEX: &str = if cfg!(target_arch = "x86_64") { "202" } else { "98" };
    let mut words = call.split(' ');
    words.next() == Some(FUTEX) && words.nth(3) == Some("0x0")
}

#[test]
fn a_wait_with_a_time_limit_ends() {
    assert!(waits_without_end("202 0x7f0 0x80 0x2 0x0 0x0 0x0 0x7ffe 0x7f1"));
    assert!(!waits_without_end("202 0x7f0 0x80 0x2 0x7ffe40 0x0 0x0 0x7ffe 0x7f1"));
    assert!(!waits_without_end("running"));
    assert!(!waits_without_end("230 0x0 0x0 0x7ffe40 0x0 0x0 0x0 0x7ffe 0x7f1"));
}
