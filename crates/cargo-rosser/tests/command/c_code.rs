//! C and C++ that build scripts compile: checked if it is for the program, left alone if it is for the host.

use std::process::Command;

use crate::project::{Outcome, Project, manifest};

/// Adds to what it is given, and to a total of its own.
const COUNT_C: &str = "\
static long total;

void add(long *cell, long by)
{
    *cell += by;
}

void add_to_total(long by)
{
    total += by;
}
";

/// Two tasks that call a function of it.
fn main_calling(call: &str) -> String {
    format!(
        "unsafe extern \"C\" {{ fn add(cell: *mut i64, by: i64); fn add_to_total(by: i64); }}\n\
         fn main() {{\n\
         let mut cells = [0_i64; 2];\n\
         let (left, right) = cells.split_at_mut(1);\n\
         let (left, right) = (&mut left[0], &mut right[0]);\n\
         rayon::join(|| unsafe {{ {} }}, || unsafe {{ {} }});\n\
         unsafe {{ add(&mut cells[0], 1); add_to_total(1) }}\n}}\n",
        call.replace("CELL", "left"),
        call.replace("CELL", "right"),
    )
}

const RACY: &str = "let _ = &CELL; add_to_total(1)";
const CLEAN: &str = "add(CELL, 1)";

const WITH_CC: &str = "fn main() { cc::Build::new().file(\"count.c\").compile(\"count\") }";

/// A package whose build script compiles [`COUNT_C`].
fn project(main: &str, script: &str, build_dependencies: &str) -> Project {
    let more = format!(
        "build = \"build.rs\"\n[dependencies]\nrayon = \"1\"\n[build-dependencies]\n{build_dependencies}"
    );
    Project::new(&[
        ("Cargo.toml", &manifest("app", &more)),
        ("build.rs", script),
        ("count.c", COUNT_C),
        ("src/main.rs", main),
    ])
}

/// One race, both of whose places are the line of the total.
fn is_found(outcome: &Outcome) {
    assert_eq!(outcome.code, Some(66), "{}", outcome.stderr);
    for text in ["verdict: 1 data race", "count.c:10", "the static `total`", "add_to_total at "] {
        assert!(outcome.stderr.contains(text), "{text} is missing in {}", outcome.stderr);
    }
    assert!(!outcome.stderr.contains("count.c:5"), "{}", outcome.stderr);
}

#[test]
fn a_race_in_c_is_found_at_its_line() {
    let project = project(&main_calling(RACY), WITH_CC, "cc = \"1\"");
    for line in ["run", "run --release", "run --quick"] {
        is_found(&project.rosser(line));
    }
    project.write("src/main.rs", &main_calling(CLEAN));
    for line in ["run", "run --quick"] {
        let outcome = project.rosser(line);
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    }
}

#[test]
fn what_is_left_uninstrumented_has_its_c_left_alone_too() {
    let library = "build = \"build.rs\"\n[build-dependencies]\ncc = \"1\"";
    let project = project(&main_calling(RACY), "fn main() {}", "");
    let dependencies = "[dependencies]\nrayon = \"1\"\ncount-sys = { path = \"count-sys\" }";
    let main = format!("extern crate count_sys;\n{}", main_calling(RACY));
    project.write("Cargo.toml", &manifest("app", dependencies));
    project.write("src/main.rs", &main);
    project.write("count-sys/Cargo.toml", &manifest("count-sys", library));
    project.write("count-sys/build.rs", WITH_CC);
    project.write("count-sys/src/lib.rs", "");
    project.write("count-sys/count.c", COUNT_C);
    is_found(&project.rosser("run --quick"));
    let outcome = project.rosser("run --quick --uninstrumented count-sys");
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    is_found(&project.rosser("run --quick"));
}

#[test]
fn a_race_in_what_cmake_builds_is_found() {
    if Command::new("cmake").arg("--version").output().is_err() {
        eprintln!("NOT TESTED: there is no CMake");
        return;
    }
    let script = "fn main() {\n\
        let built = cmake::Config::new(\".\").build();\n\
        println!(\"cargo::rustc-link-search=native={}/lib\", built.display());\n\
        println!(\"cargo::rustc-link-lib=static=count\");\n}";
    let project = project(&main_calling(RACY), script, "cmake = \"0.1\"");
    project.write(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.13)\nproject(count C CXX)\n\
         include(CheckCSourceRuns)\n\
         check_c_source_runs(\"static int x; int main(void) { x = 1; return x - 1; }\" RUNS)\n\
         if(NOT RUNS)\nmessage(FATAL_ERROR \"what was linked does not run\")\nendif()\n\
         add_library(count STATIC count.c)\n\
         install(TARGETS count ARCHIVE DESTINATION lib)\n",
    );
    is_found(&project.rosser("run"));
}

#[test]
fn c_for_the_host_is_not_instrumented() {
    // A package with C of its own that both the program and the build script use; and a tool that the build
    // script compiles, links and runs.
    let script = "fn main() {\n\
        assert_eq!(shared::has_callbacks(), 0, \"the build script's\");\n\
        let out = std::path::PathBuf::from(std::env::var_os(\"OUT_DIR\").unwrap());\n\
        let tool = out.join(\"tool\");\n\
        let mut compiler = cc::Build::new().get_compiler().to_command();\n\
        assert!(compiler.arg(\"tool.c\").arg(\"-o\").arg(&tool).status().unwrap().success());\n\
        assert!(std::process::Command::new(tool).status().unwrap().success());\n}";
    let more = "build = \"build.rs\"\n[dependencies]\nshared = { path = \"shared\" }\n\
        [build-dependencies]\ncc = \"1\"\nshared = { path = \"shared\" }";
    let shared = "build = \"build.rs\"\n[build-dependencies]\ncc = \"1\"";
    let project = Project::new(&[
        ("Cargo.toml", &manifest("app", more)),
        ("build.rs", script),
        (
            "tool.c",
            "static long x;\nint main(void) { __atomic_fetch_add(&x, 2, __ATOMIC_RELAXED); return x - 2; }\n",
        ),
        ("src/main.rs", "fn main() { assert_eq!(shared::has_callbacks(), 1, \"the program's\") }"),
        ("shared/Cargo.toml", &manifest("shared", shared)),
        (
            "shared/build.rs",
            "fn main() { cc::Build::new().file(\"has.c\").file(\"one.S\").compile(\"has\") }",
        ),
        // Only who has the runtime has callbacks; the build script could not be linked if its C called them. The
        // sanitizer's macro is not there in either.
        (
            "shared/has.c",
            "#ifdef __SANITIZE_THREAD__\n#error \"not as in production\"\n#endif\n\
             extern void __tsan_init(void) __attribute__((weak));\n\
             extern const int one;\n\
             int calls;\n\
             int has_callbacks(void) { calls++; return __tsan_init ? one : 0; }\n",
        ),
        (
            "shared/one.S",
            ".section .rodata\n.globl one\n.p2align 2\none: .long 1\n\
             .section .note.GNU-stack,\"\",@progbits\n",
        ),
        (
            "shared/src/lib.rs",
            "extern \"C\" { #[link_name = \"has_callbacks\"] fn has() -> i32; }\n\
             pub fn has_callbacks() -> i32 { unsafe { has() } }\n",
        ),
    ]);
    for mode in ["--fast", "--quick"] {
        let outcome = project.rosser(&format!("run {mode}"));
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    }
}

#[test]
fn the_users_own_compiler_is_called() {
    let project = project(&main_calling(RACY), WITH_CC, "cc = \"1\"");
    let log = project.path("log");
    let script = format!("#!/bin/sh\necho \"$@\" >> {}\nexec cc \"$@\"\n", log.display());
    project.write_script("tools/mine", &script);
    let compiler = project.path("tools/mine");
    for variable in ["CC", "HOST_CC", "CC_x86_64_unknown_linux_gnu", "CC_x86_64-unknown-linux-gnu"]
    {
        let _ = std::fs::remove_file(&log);
        let outcome = project.rosser_with("build --quick", &[(variable, &compiler)]);
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
        // The one that another variable has named has done it already.
        if variable == "CC" {
            let calls = project.read("log");
            let of_count: Vec<&str> = calls.lines().filter(|it| it.contains("count.c")).collect();
            assert_eq!(of_count.len(), 1, "{calls}");
            assert!(of_count[0].contains("-fsanitize=thread"), "{calls}");
        }
        is_found(&project.rosser_with("run --quick", &[(variable, &compiler)]));
    }
}

#[test]
fn a_well_known_library_in_c_builds_and_runs() {
    let more =
        "[dependencies]\nring = \"0.17\"\nlibz-sys = { version = \"1\", features = [\"static\"] }";
    let main = "fn main() {\n\
        let digest = ring::digest::digest(&ring::digest::SHA256, b\"abc\");\n\
        assert_eq!(digest.as_ref()[..4], [0xba, 0x78, 0x16, 0xbf]);\n\
        let sum = unsafe { libz_sys::crc32(0, b\"123456789\".as_ptr(), 9) };\n\
        assert_eq!(sum, 0xcbf4_3926);\n}";
    let project = Project::new(&[("Cargo.toml", &manifest("app", more)), ("src/main.rs", main)]);
    for mode in ["--fast", "--quick"] {
        let outcome = project.rosser(&format!("run {mode}"));
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    }
}
