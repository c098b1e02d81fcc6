//! What is run, what is said and the exit codes.

use crate::project::{Project, manifest};

#[test]
fn the_programs_own_exit_code_is_kept() {
    let main = "fn main() { match std::env::args().nth(1).as_deref() {\n\
        Some(\"abort\") => std::process::abort(), Some(code) => \
        std::process::exit(code.parse().unwrap()), None => {} } }";
    let project = Project::program(main);
    assert_eq!(project.rosser("run --quick").code, Some(0));
    assert_eq!(project.rosser("run --quick -- 7").code, Some(7));
    assert_eq!(project.rosser("run --quick -- 101").code, Some(101));
    assert_eq!(project.rosser("run --quick -- abort").code, Some(128 + 6));
}

#[test]
fn a_project_that_does_not_build_gets_cargos_code_and_no_report() {
    let project = Project::program("fn main() { missing() }");
    let outcome = project.rosser("run --quick");
    assert_eq!(outcome.code, Some(101));
    assert!(outcome.stderr.contains("cannot find function `missing`"), "{}", outcome.stderr);
    let report = project.rosser("report");
    assert_eq!(report.code, Some(2));
    assert!(report.stderr.starts_with("error: there is no run to report"), "{}", report.stderr);
}

#[test]
fn a_program_that_leaves_no_run_file_is_not_called_clean() {
    let project = Project::program("fn main() {}");
    // Only the program's own start could make a run file; a runner that does nothing prevents it.
    let runner = [("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", "true")];
    let outcome = project.rosser_with("run --quick", &runner);
    assert_eq!(outcome.code, Some(4));
    assert!(outcome.stderr.contains("error: nothing was checked"), "{}", outcome.stderr);
}

#[test]
fn all_tests_run_one_at_a_time_with_large_stacks() {
    let test = |name: &str| {
        format!(
            "#[test] fn {name}() {{ assert_eq!(std::env::var(\"RUST_TEST_THREADS\").unwrap(), \
             \"1\"); assert_eq!(std::env::var(\"RUST_MIN_STACK\").unwrap(), \"268435456\"); }}\n"
        )
    };
    let library = "//! ```\n//! assert_eq!(app::two(), 2);\n//! ```\n/// Two.\n\
        pub fn two() -> u32 { 2 }\n";
    let project = Project::new(&[
        ("Cargo.toml", &manifest("app", "")),
        ("src/lib.rs", &format!("{library}{}", test("unit"))),
        ("tests/first.rs", "#[test] fn fails() { panic!() }"),
        ("tests/second.rs", &test("integration")),
    ]);
    let outcome = project.rosser("test");
    assert_eq!(outcome.code, Some(101), "{}", outcome.stderr);
    for line in [
        "test unit ... ok",
        "test fails ... FAILED",
        "test integration ... ok",
        "test src/lib.rs - (line 1) ... ok",
    ] {
        assert!(outcome.stdout.contains(line), "{line} is missing in {}", outcome.stdout);
    }
    // One run file for each of three test programs and the doctest.
    let runs = std::fs::read_dir(project.path("target/rosser/runs")).unwrap().flatten();
    let files: Vec<usize> =
        runs.map(|run| std::fs::read_dir(run.path()).unwrap().count()).collect();
    assert_eq!(files, [4]);
    let without = project.rosser("test --doctests=false");
    assert!(!without.stdout.contains("src/lib.rs - (line 1)"), "{}", without.stdout);
}

#[test]
fn settings_of_the_package_come_before_those_of_the_workspace() {
    let workspace = "[workspace]\nmembers = [\"member\"]\nresolver = \"2\"\n\
        [workspace.metadata.rosser]\nmode = \"quick\"\n";
    let member = "[package.metadata.rosser]\nmode = \"fast\"\n";
    let project = Project::new(&[
        ("Cargo.toml", workspace),
        ("member/Cargo.toml", &manifest("member", member)),
        ("member/src/main.rs", "fn main() {}"),
    ]);
    let directory = |line: &str, variables: &[(&str, &str)]| {
        let outcome = project.rosser_with(line, variables);
        let prefix = "export CARGO_TARGET_DIR=";
        let line = outcome.stdout.lines().find_map(|line| line.strip_prefix(prefix));
        line.unwrap_or_else(|| panic!("{}", outcome.stderr)).to_owned()
    };
    assert!(directory("show-env", &[]).ends_with("/rosser/quick"));
    assert!(directory("show-env -p member", &[]).ends_with("/rosser/fast"));
    let variable = [("ROSSER_MODE", "quick")];
    assert!(directory("show-env -p member", &variable).ends_with("/rosser/quick"));
    assert!(directory("show-env -p member --fast", &variable).ends_with("/rosser/fast"));
}

#[test]
fn programs_for_several_workers_are_built_apart() {
    let project = Project::program("fn main() {}");
    let shown = |line: &str| -> serde_json::Value {
        let outcome = project.rosser(&format!("show-env --quick --json {line}"));
        serde_json::from_str(&outcome.stdout).unwrap_or_else(|_| panic!("{}", outcome.stderr))
    };
    let [serial, parallel] = ["", "--workers 2"].map(shown);
    for (shown, workers, detector, directory) in [
        (&serial, "1", "auto", "/rosser/quick"),
        (&parallel, "2", "sf-order", "/rosser/quick-workers"),
        (&shown("--detector sf-order"), "1", "sf-order", "/rosser/quick-workers"),
    ] {
        assert_eq!(shown["ROSSER_WORKERS"], workers);
        assert_eq!(shown["ROSSER_DETECTOR"], detector);
        assert!(shown["CARGO_TARGET_DIR"].as_str().unwrap().ends_with(directory));
    }
    assert_ne!(serial["ROSSER_WRAPPER_RUNTIME"], parallel["ROSSER_WRAPPER_RUNTIME"]);
    assert_ne!(serial["ROSSER_WRAPPER_KEY"], parallel["ROSSER_WRAPPER_KEY"]);
}

#[test]
fn a_detector_for_one_worker_is_refused_for_several() {
    let project = Project::program("fn main() {}");
    let outcome = project.rosser("run --workers 2 --detector sp-bags");
    assert_eq!(outcome.code, Some(2));
    assert_eq!(
        outcome.stderr,
        "error: the detector sp-bags checks on one worker only, not on 2: leave out `--workers`, or \
         choose `--detector sf-order`\n"
    );
}

#[test]
fn an_unknown_setting_is_an_error() {
    let project = Project::program("fn main() {}");
    project.write("Cargo.toml", &manifest("app", "[package.metadata.rosser]\nstrickt = true"));
    let outcome = project.rosser("run");
    assert_eq!(outcome.code, Some(2));
    let expected = format!(
        "error: {}, [package.metadata.rosser]: unknown setting `strickt`; did you mean `strict`?\n",
        project.path("Cargo.toml").canonicalize().unwrap().display()
    );
    assert_eq!(outcome.stderr, expected);
}

#[test]
fn other_targets_are_refused() {
    let project = Project::program("fn main() {}");
    let outcome = project.rosser("run --target wasm32-unknown-unknown");
    assert_eq!(outcome.code, Some(2));
    assert_eq!(
        outcome.stderr,
        "error: cannot check programs for wasm32-unknown-unknown\n\
         Rosser works with rustc 1.88 and later on x86_64-unknown-linux-gnu\n"
    );
}

#[test]
fn a_missing_nextest_is_named() {
    let project = Project::program("fn main() {}");
    // A directory with nothing but what is needed to get that far.
    let cargo = env!("CARGO");
    let variables = [("PATH", "/usr/bin:/bin"), ("CARGO", cargo), ("CARGO_HOME", "none")];
    let outcome = project.rosser_with("nextest", &variables);
    assert_eq!(outcome.code, Some(2));
    let message = "error: cargo-nextest is not installed";
    assert!(outcome.stderr.starts_with(message), "{}", outcome.stderr);
}

#[test]
fn the_environment_of_show_env_does_what_run_does() {
    let project = Project::program("fn main() { println!(\"ran\") }");
    let outcome = project.rosser("show-env --quick --json");
    let shown: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(&outcome.stdout).expect("it is JSON");
    let mut command = std::process::Command::new(env!("CARGO"));
    command.arg("run").current_dir(project.path("."));
    for (name, value) in &shown {
        command.env(name, value.as_str().expect("all are strings"));
    }
    let output = command.output().expect("cargo starts");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "ran\n");
    let runs = shown["ROSSER_RUN_DIR"].as_str().expect("it is a string");
    assert_eq!(std::fs::read_dir(runs).expect("it was made").count(), 1);
    // The same environment, and yet not a directory inside a directory.
    let variables: Vec<(&str, &str)> =
        shown.iter().map(|(name, value)| (name.as_str(), value.as_str().unwrap())).collect();
    let again = project.rosser_with("show-env --quick --json", &variables);
    let again: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(&again.stdout).expect("it is JSON");
    let differing: Vec<&String> =
        shown.keys().filter(|name| shown.get(*name) != again.get(*name)).collect();
    assert_eq!(differing, ["ROSSER_RUN_DIR"]);
}

#[test]
fn clean_removes_nothing_else() {
    let project = Project::program("fn main() {}");
    project.write("target/other", "");
    project.rosser("build --quick");
    assert_eq!(project.rosser("clean").code, Some(0));
    assert!(!project.path("target/rosser").exists());
    assert!(project.path("target/other").exists());
    assert_eq!(project.rosser("clean").code, Some(0));
}

#[test]
fn nextest_is_called_in_the_same_environment() {
    let project = Project::program("fn main() {}");
    let script = "#!/bin/sh\n[ \"$2\" = --version ] && exit 0\necho \"$@\"\necho $ROSSER_WRAPPER\n\
        echo > \"$ROSSER_RUN_DIR/no-run-file\"\nexit 100\n";
    project.write_script("tools/cargo-nextest", script);
    let path = format!("{}:{}", project.path("tools").display(), env!("PATH"));
    let line = "nextest -E all() --test-threads 2 --cargo-profile small some -- --skip this";
    let outcome = project.rosser_with(line, &[("PATH", &*path), ("CARGO", env!("CARGO"))]);
    let expected = "nextest run --test-threads 2 --filterset all() --cargo-profile small some -- \
        --skip this\n1\n";
    assert_eq!(outcome.stdout, expected, "{}", outcome.stderr);
    assert_eq!(outcome.code, Some(100));
}
