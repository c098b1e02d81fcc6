//! What concerns a whole process: its end, its global pool, its environment.
//!
//! Each case runs in a process of its own, which is this test program with one test selected and
//! the case named in the environment.

use std::env;
use std::error::Error;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output};

use rayon_core::ThreadPoolBuilder;

use crate::runtime;

/// The variable that names the case to a child process.
const CASE: &str = "ROSSER_TEST_CASE";
/// The signal that `abort` raises.
const SIGABRT: i32 = 6;

/// Runs a test of this file again, in a process of its own, with these variables set.
fn in_child(test: &str, variables: &[(&str, &str)]) -> Output {
    let test = format!("process::{test}");
    Command::new(env::current_exe().unwrap())
        .args(["--exact", &test, "--nocapture"])
        .env_remove("RAYON_NUM_THREADS")
        .env_remove("RAYON_RS_NUM_CPUS")
        .env_remove("ROSSER_GRAIN")
        .env(CASE, "child")
        .envs(variables.iter().copied())
        .output()
        .unwrap()
}

fn is_child() -> bool {
    env::var_os(CASE).is_some()
}

#[test]
fn a_detached_panic_without_handler_aborts() {
    if is_child() {
        rayon_core::spawn(|| panic!("nobody handles it"));
        return;
    }
    let output = in_child("a_detached_panic_without_handler_aborts", &[]);
    assert_eq!(output.status.signal(), Some(SIGABRT));
}

#[test]
fn a_panic_of_the_panic_handler_aborts() {
    if is_child() {
        let builder = ThreadPoolBuilder::new().num_threads(1);
        let pool = builder.panic_handler(|_| panic!("the handler")).build().unwrap();
        pool.spawn(|| panic!("the task"));
        return;
    }
    let output = in_child("a_panic_of_the_panic_handler_aborts", &[]);
    assert_eq!(output.status.signal(), Some(SIGABRT));
}

#[test]
fn a_thread_run_by_its_spawn_handler_is_blocked() {
    if is_child() {
        let builder = ThreadPoolBuilder::new().num_threads(1);
        drop(
            builder
                .spawn_handler(|thread| {
                    thread.run();
                    Ok(())
                })
                .build(),
        );
        return;
    }
    let output = in_child("a_thread_run_by_its_spawn_handler_is_blocked", &[]);
    assert_eq!(output.status.code(), Some(runtime::BLOCKED));
}

#[test]
fn the_global_pool_is_built_once() {
    if is_child() {
        ThreadPoolBuilder::new().num_threads(3).build_global().unwrap();
        assert_eq!(rayon_core::current_num_threads(), 3);
        let error = ThreadPoolBuilder::new().build_global().unwrap_err();
        assert_eq!(error.to_string(), "The global thread pool has already been initialized.");
        assert!(error.source().is_none());
        return;
    }
    assert!(in_child("the_global_pool_is_built_once", &[]).status.success());
}

#[test]
fn the_environment_says_how_many_threads() {
    if is_child() {
        println!("\nthreads={}", rayon_core::current_num_threads());
        return;
    }
    let threads = |variables: &[(&str, &str)]| -> usize {
        let output = in_child("the_environment_says_how_many_threads", variables);
        let output = String::from_utf8(output.stdout).unwrap();
        let line = output.lines().find_map(|line| line.strip_prefix("threads=")).unwrap();
        line.parse().unwrap()
    };
    let machine = std::thread::available_parallelism().unwrap().get();
    assert_eq!(threads(&[]), machine);
    assert_eq!(threads(&[("RAYON_NUM_THREADS", "7")]), 7);
    assert_eq!(threads(&[("RAYON_NUM_THREADS", "0"), ("RAYON_RS_NUM_CPUS", "9")]), machine);
    assert_eq!(threads(&[("RAYON_NUM_THREADS", "many"), ("RAYON_RS_NUM_CPUS", "9")]), 9);
    assert_eq!(threads(&[("RAYON_RS_NUM_CPUS", "0")]), machine);
}

#[test]
fn coarse_grain_never_migrates() {
    if is_child() {
        let migrated = rayon_core::join_context(|a| a.migrated(), |b| b.migrated());
        assert_eq!(migrated, (false, false));
        return;
    }
    let coarse = [("ROSSER_GRAIN", "coarse")];
    assert!(in_child("coarse_grain_never_migrates", &coarse).status.success());
}
