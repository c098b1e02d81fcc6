//! Arguments in, arguments out.

use std::ffi::OsString;

use crate::toolchain::LinkTools;
use crate::wrapper::configuration::Configuration;
use crate::wrapper::decide::{self, Call};
use crate::wrapper::unit::Unit;

/// The name and version that cargo gives in the environment.
type Package = Option<(&'static str, &'static str)>;

fn words(line: &str) -> Vec<OsString> {
    line.split_whitespace().map(OsString::from).collect()
}

fn configuration() -> Configuration {
    Configuration {
        runtime: "/cache".into(),
        build: "/build".into(),
        key: "key".to_owned(),
        chain: None,
        rustdoc: "/bin/rustdoc".into(),
        uninstrumented: vec!["native_code".to_owned()],
        link: None,
    }
}

fn decide_with(line: &str, package: Package, with: &Configuration) -> Result<Call, String> {
    let arguments = words(line);
    let unit = Unit::new(&arguments[1..], |name| {
        let (crate_name, version) = package?;
        match name {
            "CARGO_CRATE_NAME" => Some(crate_name.to_owned()),
            "CARGO_PKG_VERSION" => Some(version.to_owned()),
            _ => None,
        }
    });
    decide::rustc(arguments, &unit, with).map_err(|error| error.message)
}

fn rustc(line: &str, package: Package) -> Call {
    decide_with(line, package, &configuration()).expect("it is decided")
}

/// What the call should be.
fn call(program: &str, line: &str, unstable: bool) -> Call {
    Call { program: program.into(), arguments: words(line), unstable, linker: None }
}

const INSTRUMENTED: &str = "-Zunstable-options -Cunsafe-allow-abi-mismatch=sanitizer \
    -Cforce-frame-pointers=yes -Zsanitizer=thread -Zexternal-clangrt \
    -Cllvm-args=-tsan-handle-cxx-exceptions=0 -Cllvm-args=-tsan-instrument-func-entry-exit=0 \
    -Cno-vectorize-loops -Cno-vectorize-slp -Zmerge-functions=disabled \
    -Csymbol-mangling-version=v0 --cfg=rosser";
const LINKED: &str = "--extern noprelude,nounused,force:rosser_runtime=/cache/librosser_runtime.rlib \
    -L dependency=/cache";

#[test]
fn questions_to_the_compiler_pass_through() {
    let line = "- --crate-name ___ --print=file-names --target x86_64-unknown-linux-gnu";
    assert_eq!(rustc(&format!("rustc {line}"), None), call("rustc", line, false));
    // Cargo sets the crate's variables for no question, but a build script might inherit some.
    let package = Some(("___", "1.0.0"));
    assert_eq!(rustc(&format!("rustc {line}"), package), call("rustc", line, false));
}

#[test]
fn build_scripts_and_what_they_need_pass_through() {
    for line in [
        "--crate-name build_script_build build.rs --crate-type bin",
        "--crate-name cc src/lib.rs --crate-type lib",
        "--crate-name derive src/lib.rs --crate-type proc-macro",
        "--crate-name rayon_core src/lib.rs --crate-type lib",
    ] {
        let name = line.split(' ').nth(1).unwrap_or_default();
        let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
        let answer = rustc(&format!("rustc {line}"), Some((name, "1.0.0")));
        assert_eq!(answer, call("rustc", line, false));
    }
}

#[test]
fn what_a_build_script_compiles_to_probe_passes_through() {
    let line = "--crate-name probe0 --crate-type lib --target x86_64-unknown-linux-gnu -";
    assert_eq!(rustc(&format!("rustc {line}"), None), call("rustc", line, false));
}

#[test]
fn libraries_programs_and_tests_are_instrumented() {
    for line in [
        "--crate-name app src/lib.rs --crate-type lib --target x",
        "--crate-name app src/main.rs --crate-type bin --target=x",
        "--crate-name app src/main.rs --test --target x",
        "--crate-name app src/lib.rs --crate-type cdylib --crate-type rlib --target x",
        "--crate-name app src/lib.rs --crate-type cdylib --test --target x",
    ] {
        let answer = rustc(&format!("rustc {line}"), Some(("app", "1.0.0")));
        assert_eq!(answer, call("rustc", &format!("{line} {INSTRUMENTED} {LINKED}"), true));
    }
}

#[test]
fn where_checks_are_taken_out_of_loops_we_are_the_linker() {
    let with = Configuration { link: Some(LinkTools::default()), ..configuration() };
    let us = std::env::current_exe().expect("this is a program");
    let expect = |line: &str, linker: &str, is_bitcode: bool| {
        let package = Some(("app", "1.0.0"));
        let answer = decide_with(&format!("rustc {line}"), package, &with).expect("it is decided");
        assert_eq!(answer.linker, Some(linker.into()), "{line}");
        let is_ours = format!("-Clinker={}", us.display());
        assert!(answer.arguments.contains(&is_ours.into()), "{line}");
        let as_bitcode = answer.arguments.contains(&"-Clinker-plugin-lto".into());
        assert_eq!(as_bitcode, is_bitcode, "{line}");
    };
    let line = "--crate-name app src/main.rs --crate-type bin --target x";
    expect(line, "cc", true);
    expect(&format!("{line} -C linker=/usr/bin/clang-18"), "/usr/bin/clang-18", true);
    expect(&format!("{line} -Clinker=gcc -C linker=g++"), "g++", true);
    // These do not take what a C compiler takes.
    expect(&format!("{line} -Clinker=ld.lld"), "cc", true);
    // Its dependencies are bitcode, it is not.
    expect("--crate-name app src/lib.rs --crate-type cdylib --target x", "cc", false);
}

#[test]
fn libraries_for_other_programs_are_left_alone() {
    let line = "--crate-name plugin src/lib.rs --crate-type cdylib --target x";
    let answer = rustc(&format!("rustc {line}"), Some(("plugin", "1.0.0")));
    let mixed = "-Zunstable-options -Cunsafe-allow-abi-mismatch=sanitizer -L dependency=/cache";
    assert_eq!(answer, call("rustc", &format!("{line} {mixed}"), true));
}

#[test]
fn crates_that_the_user_excluded_are_not_instrumented() {
    let line = "--crate-name native_code src/lib.rs --crate-type lib --target x";
    let answer = rustc(&format!("rustc {line}"), Some(("native_code", "1.0.0")));
    let flags = "-Zunstable-options -Cunsafe-allow-abi-mismatch=sanitizer \
        -Cforce-frame-pointers=yes";
    assert_eq!(answer, call("rustc", &format!("{line} {flags} {LINKED}"), true));
}

#[test]
fn rayon_core_is_replaced_and_not_instrumented() {
    let line = "rustc --crate-name rayon_core --edition=2018 /registry/rayon-core/src/lib.rs \
        --crate-type lib --target x";
    let expected = format!(
        "--crate-name rayon_core --edition=2021 /cache/rayon-core/src/lib.rs --crate-type lib \
         --target x -Zunstable-options -Cunsafe-allow-abi-mismatch=sanitizer \
         --remap-path-prefix=/cache/rayon-core=/registry/src/rosser/rayon-core-1.9.0 \
         -Cforce-frame-pointers=yes {LINKED}"
    );
    assert_eq!(rustc(line, Some(("rayon_core", "1.9.0"))), call("rustc", &expected, true));
}

#[test]
fn who_runs_tasks_is_told_of_several_workers() {
    let runtime = tempfile::tempdir().expect("there is room");
    let with = Configuration { runtime: runtime.path().to_owned(), ..configuration() };
    let is_told = |name: &'static str, version: &'static str| {
        let line = format!("rustc --crate-name {name} src/lib.rs --crate-type lib --target x");
        let answer = decide_with(&line, Some((name, version)), &with).expect("it is decided");
        answer.arguments.contains(&"--cfg=rosser_parallel".into())
    };
    assert!(!is_told("rayon_core", "1.13.0") && !is_told("rosser", "0.1.0"));
    std::fs::write(runtime.path().join("is-parallel"), "").expect("there is room");
    assert!(is_told("rayon_core", "1.13.0") && is_told("rosser", "0.1.0"));
    assert!(!is_told("another", "0.1.0"));
}

#[test]
fn other_versions_of_rayon_core_are_refused() {
    let line = "rustc --crate-name rayon_core src/lib.rs --crate-type lib --target x";
    for (version, good) in
        [("1.8.1", false), ("1.9.0", true), ("1.13.0", true), ("2.0.0", false), ("", false)]
    {
        let answer = decide_with(line, Some(("rayon_core", version)), &configuration());
        assert_eq!(answer.is_ok(), good, "{version}");
    }
    let message = decide_with(line, Some(("rayon_core", "1.8.1")), &configuration()).unwrap_err();
    assert_eq!(
        message,
        "rayon-core 1.8.1 is not supported: Rosser replaces rayon-core 1.9 and later versions of \
         1 (rayon 1.5 and later)"
    );
}

#[test]
fn the_users_wrappers_are_called() {
    let with = Configuration { chain: Some("sccache".into()), ..configuration() };
    let line = "--crate-name app src/main.rs --crate-type bin --target x";
    let answer = decide_with(&format!("rustc {line}"), Some(("app", "1.0.0")), &with);
    let expected = format!("rustc {line} {INSTRUMENTED} {LINKED}");
    assert_eq!(answer, Ok(call("sccache", &expected, true)));
    // The wrapper for members of the workspace is between us and the compiler.
    let answer = rustc(&format!("driver rustc {line}"), Some(("app", "1.0.0")));
    assert_eq!(answer, call("driver", &expected, true));
}

#[test]
fn doctests_are_instrumented_and_documentation_is_not() {
    let with = configuration();
    let line = "--crate-name app src/lib.rs -o doc";
    assert_eq!(decide::rustdoc(words(line), true, &with), call("/bin/rustdoc", line, false));
    let line = "--crate-name app --test src/lib.rs";
    let answer = decide::rustdoc(words(line), true, &with);
    assert!(answer.unstable);
    let merged = decide::rustdoc(words(line), false, &with);
    assert_eq!(merged.arguments.len() + 1, answer.arguments.len());
    let added = &answer.arguments[4..];
    for flag in words(&format!(
        "{INSTRUMENTED} {LINKED} -Cdebuginfo=limited --persist-doctests /build/doctests \
        --merge-doctests=no"
    )) {
        assert!(added.contains(&flag), "{} is missing", flag.display());
    }
}
