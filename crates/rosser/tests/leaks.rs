//! Errors leave nothing behind: `examples/errors.rs` under the compiler's leak detector.
//!
//! Where the detector cannot work (it has to stop all threads of the process, which containers may forbid)
//! that is said, and nothing is claimed.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What the detector ends a program with.
const LEAKED: i32 = 23;

fn scratch() -> PathBuf {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("leaks");
    fs::create_dir_all(&scratch).expect("it can be made");
    scratch
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Whether the detector finds a leak where there is one.
fn works() -> bool {
    let source = scratch().join("leak.rs");
    let program = scratch().join("leak");
    fs::write(&source, "fn main() { std::hint::black_box(Box::leak(Box::new([1; 100]))); }")
        .unwrap();
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(compiler);
    command.args(["-Zsanitizer=leak", "-o"]).arg(&program).arg(&source).env("RUSTC_BOOTSTRAP", "1");
    let output = command.output().expect("the compiler starts");
    assert!(output.status.success(), "{}", said(&output));
    let output = Command::new(&program).output().expect("it starts");
    match output.status.code() {
        Some(LEAKED) => true,
        Some(0) => panic!("the leak detector misses a leak"),
        _ => {
            eprintln!("the leak detector does not work here:\n{}", said(&output));
            false
        }
    }
}

#[test]
fn errors_leave_nothing_behind() {
    if !works() {
        return;
    }
    let mut command = Command::new(env!("CARGO"));
    command
        .args(["run", "--quiet", "--package", "rosser", "--example", "errors"])
        .args(["--target", "x86_64-unknown-linux-gnu", "--target-dir"])
        .arg(scratch().join("target"))
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_ENCODED_RUSTFLAGS", "-Zsanitizer=leak")
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = command.output().expect("cargo starts");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(printed.matches(":\n    ").count(), 9, "{printed}");
}
