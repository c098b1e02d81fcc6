//! What is instrumented and what is not, and that the user's own configuration holds.

use std::path::PathBuf;
use std::process::Command;

use crate::project::{Project, manifest};

/// The flag that crates get to be instrumented, whoever puts checks in.
const INSTRUMENTED: &str = "-Cno-prepopulate-passes";

/// A package with a build script, a proc-macro, and a library that all of them use.
fn with_everything() -> Project {
    let workspace = "build = \"build.rs\"\n[dependencies]\nmaker = { path = \"maker\" }\n\
        shared = { path = \"shared\" }\n[build-dependencies]\nshared = { path = \"shared\" }\n\
        [workspace]\nmembers = [\"maker\", \"shared\"]";
    let maker = "[lib]\nproc-macro = true\n[dependencies]\nshared = { path = \"../shared\" }";
    let project = Project::new(&[
        ("Cargo.toml", &manifest("app", workspace)),
        ("build.rs", "fn main() { assert_eq!(shared::two(), 2); }"),
        ("src/main.rs", "fn main() { assert_eq!(shared::two() + maker::three!(), 5); }"),
        ("shared/Cargo.toml", &manifest("shared", "")),
        ("shared/src/lib.rs", "pub fn two() -> u32 { 2 }"),
        ("maker/Cargo.toml", &manifest("maker", maker)),
        (
            "maker/src/lib.rs",
            "#[proc_macro] pub fn three(_: proc_macro::TokenStream) -> proc_macro::TokenStream {\n\
             assert_eq!(shared::two(), 2); \"3\".parse().unwrap() }",
        ),
    ]);
    project.write_wrapper("wrap");
    project
}

/// How many of a crate's calls are instrumented and how many are not.
fn counted(project: &Project, crate_name: &str) -> (usize, usize) {
    let calls = project.calls(crate_name);
    let instrumented = calls.iter().filter(|call| call.contains(INSTRUMENTED)).count();
    (instrumented, calls.len() - instrumented)
}

#[test]
fn build_scripts_macros_and_their_dependencies_are_not_instrumented() {
    let project = with_everything();
    let outcome = project.rosser_with("run", &[("RUSTC_WRAPPER", project.path("wrap"))]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert_eq!(counted(&project, "build_script_build"), (0, 1));
    assert_eq!(counted(&project, "maker"), (0, 1));
    // Once for the program, once for the build script and the macro.
    assert_eq!(counted(&project, "shared"), (1, 1));
    assert_eq!(counted(&project, "app"), (1, 0));
}

#[test]
fn a_wrapper_of_a_configuration_file_is_called() {
    let project = Project::program("fn main() {}");
    project.write_wrapper("tools/wrap");
    project.write(".cargo/config.toml", "[build]\nrustc-wrapper = \"tools/wrap\"\n");
    let outcome = project.rosser("run --quick");
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert_eq!(counted(&project, "app"), (1, 0));
}

#[test]
fn flags_for_rustc_are_honoured() {
    let project = Project::program("fn main() { if cfg!(mine) { std::process::exit(9) } }");
    let outcome = project.rosser_with("run --quick", &[("RUSTFLAGS", "--cfg=mine")]);
    assert_eq!(outcome.code, Some(9), "{}", outcome.stderr);
    let file = "[build]\nrustflags = [\"--cfg=mine\"]\n";
    project.write(".cargo/config.toml", file);
    assert_eq!(project.rosser("run --quick").code, Some(9));
}

#[test]
fn what_the_profile_means_stays() {
    let main = "fn main() { if cfg!(debug_assertions) { std::process::exit(5) } }";
    let project = Project::program(main);
    assert_eq!(project.rosser("run --quick").code, Some(5));
    assert_eq!(project.rosser("run --quick --release").code, Some(0));
}

#[test]
fn panics_that_abort_are_no_obstacle() {
    let project = Project::program("fn main() { panic!() }");
    project.write("Cargo.toml", &manifest("app", "[profile.dev]\npanic = \"abort\""));
    for mode in ["--fast", "--quick"] {
        let outcome = project.rosser(&format!("run {mode}"));
        assert_eq!(outcome.code, Some(128 + 6), "{}", outcome.stderr);
    }
}

#[test]
fn cargo_lock_and_the_project_are_untouched() {
    let project = Project::program("fn main() {}");
    let cargo = Command::new(env!("CARGO"))
        .arg("generate-lockfile")
        .current_dir(project.path("."))
        .output()
        .expect("cargo starts");
    assert!(cargo.status.success());
    let lock = project.read("Cargo.lock");
    let changed = || std::fs::metadata(project.path("Cargo.lock")).unwrap().modified().unwrap();
    let before = changed();
    let outcome = project.rosser("test");
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert_eq!(project.read("Cargo.lock"), lock);
    assert_eq!(changed(), before);
    let names = |inside: &str| -> Vec<String> {
        let entries = std::fs::read_dir(project.path(inside)).unwrap().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(names("."), ["Cargo.lock", "Cargo.toml", "src", "target"]);
    assert_eq!(names("target"), ["rosser"]);
}

#[test]
fn a_second_build_has_nothing_to_do_and_other_settings_have() {
    let project = Project::program("fn main() {}");
    assert!(project.rosser("build --quick").stderr.contains("Compiling app"));
    assert!(!project.rosser("build --quick").stderr.contains("Compiling app"));
    let other = "build --quick --uninstrumented app";
    assert!(project.rosser(other).stderr.contains("Compiling app"));
    // The first build is still there.
    assert!(!project.rosser("build --quick").stderr.contains("Compiling app"));
}

#[test]
fn crates_can_be_left_uninstrumented() {
    let project = with_everything();
    let line = "build --quick --uninstrumented shared";
    let outcome = project.rosser_with(line, &[("RUSTC_WRAPPER", project.path("wrap"))]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert_eq!(counted(&project, "shared"), (0, 2));
    assert_eq!(counted(&project, "app"), (1, 0));
}

#[test]
fn build_prints_the_executables_only() {
    let project = Project::program("fn main() {}");
    let outcome = project.rosser("build --quick");
    let program = project.path("target/rosser/quick/x86_64-unknown-linux-gnu/debug/app");
    assert_eq!(outcome.stdout, format!("{}\n", program.display()));
}

/// A compiler that is installed without its LLVM as a library; else it is the one that there is.
fn write_rustc_without_llvm(project: &Project) {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let asked = Command::new(&rustc).args(["--print", "sysroot"]).output().expect("rustc starts");
    let sysroot = String::from_utf8(asked.stdout).expect("it is text");
    let libraries = project.path("rust/lib");
    std::fs::create_dir_all(&libraries).expect("it is ours");
    let rustlib = PathBuf::from(sysroot.trim()).join("lib/rustlib");
    std::os::unix::fs::symlink(rustlib, libraries.join("rustlib")).expect("it is ours");
    let script = format!(
        "#!/bin/sh\nif [ \"$*\" = '--print sysroot' ]; then echo '{}'; else exec {rustc} \"$@\"; fi\n",
        project.path("rust").display()
    );
    project.write_script("rustc", &script);
}

#[test]
fn without_llvm_races_are_found_too() {
    let app = "[dependencies]\nrayon = \"1\"\ncount = { path = \"count\" }";
    let project = Project::new(&[
        ("Cargo.toml", &manifest("app", app)),
        ("src/main.rs", "fn main() { rayon::join(count::add, count::add); }\n"),
        ("count/Cargo.toml", &manifest("count", "")),
        (
            "count/src/lib.rs",
            "static mut TOTAL: u64 = 0;\npub fn add() { unsafe { TOTAL += 1 } }\n",
        ),
    ]);
    write_rustc_without_llvm(&project);
    project.write_wrapper("wrap");
    for mode in ["--fast", "--quick"] {
        let variables = [("RUSTC", project.path("rustc")), ("RUSTC_WRAPPER", project.path("wrap"))];
        let outcome = project.rosser_with(&format!("run {mode}"), &variables);
        assert_eq!(outcome.code, Some(66), "{}", outcome.stderr);
        assert!(outcome.stderr.contains("--> count/src/lib.rs:2:"), "{}", outcome.stderr);
    }
    let calls = project.calls("count");
    assert_eq!(calls.len(), 2);
    assert!(calls.iter().all(|call| call.contains("-Cpasses=default<O3>")), "{calls:?}");
}

/// Names a compiler that is older than what Rosser works with, such as one that a distribution has.
const OLD_RUSTC: &str = "ROSSER_TEST_OLD_RUSTC";

/// An old compiler is refused before anything is built, and the user is told what to do.
fn is_refused(project: &Project, variable: (&str, PathBuf), release: &str) {
    let outcome = project.rosser_with("run", &[variable]);
    assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
    let message = format!(
        "error: rustc {release} is too old\nRosser works with rustc 1.88 and later on \
         x86_64-unknown-linux-gnu; `rustup update stable` installs one (https://rustup.rs), and RUSTC \
         can name one\n"
    );
    assert_eq!(outcome.stderr, message);
}

#[test]
fn old_compilers_are_refused() {
    let project = Project::program("fn main() {}");
    for release in ["1.63.0", "1.85.0"] {
        // Nothing but its version is asked for.
        let script = format!(
            "#!/bin/sh\n[ \"$*\" = '-vV' ] || exit 1\n\
             printf 'rustc {release}\\nbinary: rustc\\nhost: x86_64-unknown-linux-gnu\\nrelease: {release}\\n'\n"
        );
        project.write_script("old/rustc", &script);
        is_refused(&project, ("RUSTC", project.path("old/rustc")), release);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut directories = vec![project.path("old")];
        directories.extend(std::env::split_paths(&path));
        let path = std::env::join_paths(directories).expect("no colons");
        is_refused(&project, ("PATH", path.into()), release);
    }
}

#[test]
fn an_old_compiler_of_a_distribution_is_refused() {
    let Some(rustc) = std::env::var_os(OLD_RUSTC).map(PathBuf::from) else {
        eprintln!("NOT TESTED: {OLD_RUSTC} names no compiler");
        return;
    };
    let asked = Command::new(&rustc).arg("-vV").output().expect("it starts");
    let asked = String::from_utf8(asked.stdout).expect("it is text");
    let release = asked.lines().find_map(|line| line.strip_prefix("release: "));
    is_refused(&Project::program("fn main() {}"), ("RUSTC", rustc), release.expect("it says so"));
}
