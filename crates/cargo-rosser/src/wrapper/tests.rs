//! Arguments in, arguments out.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::wrapper::configuration::Configuration;
use crate::wrapper::decide::{self, Call};
use crate::wrapper::unit::Unit;

/// The name and version that cargo gives in the environment.
type Package = Option<(&'static str, &'static str)>;

fn words(line: &str) -> Vec<OsString> {
    line.split_whitespace().map(OsString::from).collect()
}

/// Checks are put in by the stage.
fn configuration() -> Configuration {
    Configuration {
        runtime: "/cache".into(),
        build: "/build".into(),
        key: "key".to_owned(),
        chain: None,
        rustdoc: "/bin/rustdoc".into(),
        uninstrumented: vec!["native_code".to_owned()],
        llvm: Some("/rust/lib/libLLVM.so".into()),
        is_quick: false,
    }
}

/// The compiler has to put them in.
fn without_llvm() -> Configuration {
    Configuration { llvm: None, ..configuration() }
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

/// What the call should be: of a crate that nothing is done to afterwards.
fn call(program: &str, line: &str, unstable: bool) -> Call {
    Call {
        program: program.into(),
        arguments: words(line),
        unstable,
        linker: None,
        libraries: Vec::new(),
        is_seen: true,
        level: 3,
    }
}

/// The same of a crate that the stage puts checks into, with `cc` as the user's linker.
fn staged(program: &str, line: &str) -> Call {
    let (linker, level) = (Some("cc".into()), 2);
    Call { linker, level, ..call(program, &format!("{line} {}", for_stage()), true) }
}

/// The same of one that it does not.
fn linked_by_us(line: &str) -> Call {
    let linker = Some("cc".into());
    Call { linker, ..call("rustc", &format!("{line} {}", our_linker()), true) }
}

/// What is added for the stage.
fn for_stage() -> String {
    format!("-Zunstable-options -Zshare-generics=no {FOR_STAGE} {}", our_linker())
}

/// We are the linker.
fn our_linker() -> String {
    let us = std::env::current_exe().expect("this is a program");
    format!("-Clinker={}", us.display())
}

const FOR_STAGE: &str = "-Cforce-frame-pointers=yes -Clinker-plugin-lto -Cno-prepopulate-passes \
    -Ccodegen-units=1 -Csymbol-mangling-version=v0 --cfg=rosser";
const BY_COMPILER: &str = "-Zunstable-options -Zshare-generics=no -Cunsafe-allow-abi-mismatch=sanitizer \
    -Cforce-frame-pointers=yes -Cunsafe-allow-abi-mismatch=sanitizer -Zsanitizer=thread \
    -Zexternal-clangrt -Cllvm-args=-tsan-handle-cxx-exceptions=0 \
    -Cllvm-args=-tsan-instrument-func-entry-exit=0 -Cno-prepopulate-passes -Cpasses=default<O3> \
    -Zmerge-functions=disabled -Csymbol-mangling-version=v0 --cfg=rosser";
const LINKED: &str = "--extern noprelude,nounused,force:rosser_runtime=/cache/librosser_runtime.rlib \
    -L dependency=/cache";

/// Units of all kinds that are instrumented.
const INSTRUMENTED: [&str; 5] = [
    "--crate-name app src/lib.rs --crate-type lib --target x",
    "--crate-name app src/main.rs --crate-type bin --target=x",
    "--crate-name app src/main.rs --test --target x",
    "--crate-name app src/lib.rs --crate-type cdylib --crate-type rlib --target x",
    "--crate-name app src/lib.rs --crate-type cdylib --test --target x",
];

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
    for line in INSTRUMENTED {
        let answer = rustc(&format!("rustc {line}"), Some(("app", "1.0.0")));
        assert_eq!(Call { libraries: Vec::new(), ..answer }, staged("rustc", line), "{line}");
    }
}

#[test]
fn without_llvm_the_compiler_puts_checks_in() {
    for line in INSTRUMENTED {
        let answer = decide_with(&format!("rustc {line}"), Some(("app", "1.0.0")), &without_llvm());
        let answer = answer.expect("it is decided");
        let expected = call("rustc", &format!("{line} {BY_COMPILER} {LINKED}"), true);
        // It leaves nothing to be rewritten, and links by itself.
        assert_eq!(answer, expected, "{line}");
    }
}

#[test]
fn archives_that_the_compiler_makes_are_rewritten() {
    let libraries = |line: &str| {
        let line = format!("rustc {line} --out-dir /out -C extra-filename=-1f --target x");
        rustc(&line, Some(("app", "1.0.0"))).libraries
    };
    let rlib = PathBuf::from("/out/libapp-1f.rlib");
    for kind in ["--crate-type lib", "--crate-type=rlib", "--crate-type cdylib --crate-type rlib"] {
        assert_eq!(libraries(&format!("--crate-name app src/lib.rs {kind}")), [&*rlib], "{kind}");
    }
    let both = libraries("--crate-name app src/lib.rs --crate-type staticlib,rlib");
    assert_eq!(both, [PathBuf::from("/out/libapp-1f.a"), rlib]);
    // The linker checks what these are made of.
    for line in ["src/main.rs --crate-type bin", "src/lib.rs --crate-type lib --test"] {
        assert!(libraries(&format!("--crate-name app {line}")).is_empty(), "{line}");
    }
}

#[test]
fn the_stage_optimises_as_far_as_the_compiler_would() {
    for (flag, level) in [
        ("", 2),
        ("-C opt-level=0", 1),
        ("-Copt-level=1", 1),
        ("-C opt-level=2", 2),
        ("-C opt-level=1 -C opt-level=3", 3),
        ("-C opt-level=s", 2),
    ] {
        let line = format!("rustc --crate-name app src/lib.rs --crate-type lib --target x {flag}");
        assert_eq!(rustc(&line, Some(("app", "1.0.0"))).level, level, "{flag}");
    }
}

#[test]
fn where_the_stage_puts_checks_in_we_are_the_linker() {
    let expect = |line: &str, linker: &str| {
        let answer = rustc(&format!("rustc {line}"), Some(("app", "1.0.0")));
        assert_eq!(answer.linker, Some(linker.into()), "{line}");
        // The last one counts.
        let last = answer.arguments.iter().rfind(|it| it.to_string_lossy().contains("linker="));
        let us = std::env::current_exe().expect("this is a program");
        assert_eq!(last, Some(&format!("-Clinker={}", us.display()).into()), "{line}");
    };
    let line = "--crate-name app src/main.rs --crate-type bin --target x";
    expect(line, "cc");
    expect(&format!("{line} -C linker=/usr/bin/clang-18"), "/usr/bin/clang-18");
    expect(&format!("{line} -Clinker=gcc -C linker=g++"), "g++");
    // These do not take what a C compiler takes.
    expect(&format!("{line} -Clinker=ld.lld"), "cc");
}

#[test]
fn all_that_is_for_the_target_gets_the_standard_library_that_is_seen() {
    let runtime = tempfile::tempdir().expect("there is room");
    let with = Configuration { runtime: runtime.path().to_owned(), ..configuration() };
    let flag = OsString::from(format!("--sysroot={}/sysroot", runtime.path().display()));
    let sysroots = |line: &str, name: &'static str| {
        let line = format!("rustc --crate-name {name} src/lib.rs {line}");
        let answer = decide_with(&line, Some((name, "1.13.0")), &with).expect("it is decided");
        let is_sysroot = |it: &OsString| it.to_string_lossy().starts_with("--sysroot");
        answer.arguments.into_iter().filter(is_sysroot).collect::<Vec<_>>()
    };
    let doctests = || decide::rustdoc(words("--test src/lib.rs"), true, &with).arguments;
    let line = "--crate-type lib --target x";
    assert!(sysroots(line, "app").is_empty() && !doctests().contains(&flag));
    std::fs::create_dir(runtime.path().join("sysroot")).expect("there is room");
    for name in ["app", "native_code", "rosser", "rayon_core"] {
        assert_eq!(sysroots(line, name), [&*flag], "{name}");
    }
    assert_eq!(sysroots("--crate-type cdylib --target x", "app"), [&*flag]);
    assert!(doctests().contains(&flag));
    // Build scripts, and what they need, run with the compiler's own.
    assert!(sysroots("--crate-type lib", "app").is_empty());
}

#[test]
fn plug_ins_are_instrumented_by_the_stage_alone() {
    for kind in ["cdylib", "dylib"] {
        let line = format!("--crate-name plugin src/lib.rs --crate-type {kind} --target x");
        let package = Some(("plugin", "1.0.0"));
        assert_eq!(rustc(&format!("rustc {line}"), package), staged("rustc", &line));
        let answer = decide_with(&format!("rustc {line}"), package, &without_llvm());
        let mixed = "-Zunstable-options -Zshare-generics=no -Cunsafe-allow-abi-mismatch=sanitizer -L dependency=/cache";
        assert_eq!(answer, Ok(call("rustc", &format!("{line} {mixed}"), true)));
    }
}

#[test]
fn crates_that_the_user_excluded_are_not_instrumented() {
    let line = "--crate-name native_code src/lib.rs --crate-type lib --target x";
    let answer = rustc(&format!("rustc {line}"), Some(("native_code", "1.0.0")));
    let flags = "-Zunstable-options -Zshare-generics=no -Cforce-frame-pointers=yes";
    assert_eq!(answer, linked_by_us(&format!("{line} {flags}")));
    let answer =
        decide_with(&format!("rustc {line}"), Some(("native_code", "1.0.0")), &without_llvm());
    let flags = "-Zunstable-options -Zshare-generics=no -Cunsafe-allow-abi-mismatch=sanitizer \
        -Cforce-frame-pointers=yes";
    assert_eq!(answer, Ok(call("rustc", &format!("{line} {flags} {LINKED}"), true)));
}

#[test]
fn the_task_library_is_told_of_the_detector_and_not_instrumented() {
    for name in ["rosser", "corosensei"] {
        let line = format!("--crate-name {name} src/lib.rs --crate-type lib --target x");
        let answer = rustc(&format!("rustc {line}"), Some((name, "0.1.0")));
        let flags = "-Zunstable-options -Zshare-generics=no -Cforce-frame-pointers=yes --cfg=rosser \
            -Csymbol-mangling-version=v0";
        assert_eq!(answer, linked_by_us(&format!("{line} {flags}")));
    }
}

#[test]
fn rayon_core_is_replaced_and_not_instrumented() {
    let line = "rustc --crate-name rayon_core --edition=2018 /registry/rayon-core/src/lib.rs \
        --crate-type lib --target x";
    let expected = |among_others: &str, how: &str| {
        format!(
            "--crate-name rayon_core --edition=2021 /cache/rayon-core/src/lib.rs --crate-type lib \
             --target x -Zunstable-options -Zshare-generics=no {among_others} \
             --remap-path-prefix=/cache/rayon-core=/registry/src/rosser/rayon-core-1.9.0 \
             -Cforce-frame-pointers=yes {how} --cap-lints=allow"
        )
    };
    let package = Some(("rayon_core", "1.9.0"));
    assert_eq!(rustc(line, package), linked_by_us(&expected("", "--cfg=rosser_staged")));
    let answer = decide_with(line, package, &without_llvm());
    let expected = expected("-Cunsafe-allow-abi-mismatch=sanitizer", "");
    assert_eq!(answer, Ok(call("rustc", &format!("{expected} {LINKED}"), true)));
}

#[test]
fn without_the_stage_rayon_core_hides_functions_if_the_compiler_can() {
    let runtime = tempfile::tempdir().expect("there is room");
    std::fs::write(runtime.path().join("hides-functions"), "").expect("there is room");
    let line = "rustc --crate-name rayon_core src/lib.rs --crate-type lib --target x";
    for (with, expected) in
        [(configuration(), "--cfg=rosser_staged"), (without_llvm(), "--cfg=rosser_unseen")]
    {
        let with = Configuration { runtime: runtime.path().to_owned(), ..with };
        let answer = decide_with(line, Some(("rayon_core", "1.13.0")), &with);
        let arguments = answer.expect("it is decided").arguments;
        let is_cfg = |it: &&OsString| it.to_string_lossy().starts_with("--cfg");
        assert_eq!(arguments.iter().filter(is_cfg).collect::<Vec<_>>(), [expected]);
    }
}

#[test]
fn who_runs_tasks_is_told_of_several_workers() {
    let runtime = tempfile::tempdir().expect("there is room");
    let with = Configuration { runtime: runtime.path().to_owned(), ..configuration() };
    let is_told = |name: &'static str, version: &'static str| {
        let line = format!("rustc --crate-name {name} src/lib.rs --crate-type lib --target x");
        let answer = decide_with(&line, Some((name, version)), &with).expect("it is decided");
        answer.arguments.contains(&"--cfg=rosser_workers".into())
    };
    assert!(!is_told("rayon_core", "1.13.0") && !is_told("rosser", "0.1.0"));
    std::fs::write(runtime.path().join("has-workers"), "").expect("there is room");
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
    let expected = format!("rustc {line}");
    assert_eq!(answer, Ok(staged("sccache", &expected)));
    // The wrapper for members of the workspace is between us and the compiler.
    let answer = rustc(&format!("driver rustc {line}"), Some(("app", "1.0.0")));
    assert_eq!(answer, staged("driver", &expected));
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
    assert_eq!(answer.linker, Some("cc".into()));
    let by_compiler = decide::rustdoc(words(line), true, &without_llvm());
    assert_eq!(by_compiler.linker, None);
    let also = "-Cdebuginfo=limited --persist-doctests /build/doctests --merge-doctests=no";
    let linked = format!("{BY_COMPILER} {LINKED}");
    for (answer, flags) in [(answer, for_stage()), (by_compiler, linked)] {
        let added = &answer.arguments[4..];
        for flag in words(&format!("{flags} {also}")) {
            assert!(added.contains(&flag), "{} is missing", flag.display());
        }
    }
}
