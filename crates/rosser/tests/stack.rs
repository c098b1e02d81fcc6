//! Stacks: enough of them, and none runs into another.

use std::process::Command;

use rosser::{Promise, finish};

#[test]
fn many_tasks_are_blocked_at_once() {
    let gate = Promise::new();
    let begun: Vec<Promise<()>> = (0..20_000).map(|_| Promise::new()).collect();
    let mut ended = vec![false; begun.len()];
    finish(|s| {
        for (begun, ended) in begun.iter().zip(&mut ended) {
            let gate = &gate;
            s.spawn(move |_| {
                begun.set(());
                *ended = *gate.get();
            });
        }
        for begun in &begun {
            begun.get();
        }
        gate.set(true);
    });
    assert!(ended.into_iter().all(|ended| ended));
}

#[test]
fn a_task_may_recurse() {
    fn depth(n: u32) -> u32 {
        let frame = std::hint::black_box([n; 64]);
        if n == 0 { 0 } else { depth(frame[0] - 1) + 1 }
    }
    // About half of what a task has.
    finish(|s| s.spawn(|_| assert_eq!(depth(1200), 1200)));
}

/// Set in the process that is to overflow its stack.
const OVERFLOW: &str = "ROSSER_TEST_OVERFLOW";

#[test]
fn an_overflow_hits_the_guard() {
    fn endless(n: u64) -> u64 {
        let frame = std::hint::black_box([n; 64]);
        if n == u64::MAX { 0 } else { endless(frame[0] + 1) + frame[63] }
    }
    if std::env::var_os(OVERFLOW).is_some() {
        finish(|s| s.spawn(|_| _ = endless(0)));
        return;
    }
    let mut test = Command::new(std::env::current_exe().unwrap());
    test.args(["--exact", "an_overflow_hits_the_guard"]).env(OVERFLOW, "1");
    let output = test.output().unwrap();
    // By a signal, or by a sanitizer that has caught it; there is no limit to the recursion.
    assert!(!output.status.success());
}
