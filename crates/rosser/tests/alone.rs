//! A get outside any finish that nobody can satisfy. In a process of its own, without the threads of a test
//! harness: of what those are up to nothing is known.

use std::env;
use std::process::Command;

use rosser::{Promise, finish};

fn main() {
    if env::var_os("ALONE").is_some() {
        let promise = Promise::<u32>::new();
        finish(|_| ());
        promise.get();
        return;
    }
    let program = env::current_exe().expect("it is known");
    let output = Command::new(program).env("ALONE", "1").output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(101), "{said}");
    assert!(said.contains("deadlock: 1 task is blocked"), "{said}");
    assert!(said.contains("alone.rs:13:17 waits for the promise made at"), "{said}");
    println!("test a_get_outside_any_finish_that_nobody_can_satisfy ... ok");
}
