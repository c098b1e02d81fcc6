//! Libraries that programs load: they are checked with the program, and run without checks in any other one.

use std::path::PathBuf;
use std::process::Command;

use crate::project::{Outcome, Project, manifest};

/// How programs are built and run, one after the other.
const WAYS: [&str; 5] =
    ["", "--release", "--quick", "--workers 2", "--quick --release --workers 2"];

/// Functions of a plug-in, all of the same type.
const PLUG_IN: &str = "\
use rayon::prelude::*;
use std::collections::HashMap;

static mut TOTAL: u64 = 0;

#[no_mangle]
pub unsafe extern \"C\" fn bump(cell: *mut u64) {
    *cell += 1;
}

#[no_mangle]
pub unsafe extern \"C\" fn tasks(cell: *mut u64) {
    rayon::join(|| TOTAL += 1, || ());
    *cell += 1;
}

#[no_mangle]
pub unsafe extern \"C\" fn own(cell: *mut u64) {
    let mut blocks = HashMap::new();
    for number in 0..100_u64 {
        blocks.insert(number, Box::new(number));
    }
    let mut numbers: Vec<u64> = blocks.values().map(|it| **it).collect();
    numbers.par_iter_mut().for_each(|it| *it += 1);
    *cell += numbers.par_iter().sum::<u64>();
}
";

/// Has two tasks call the function that the first argument names, with the same cell if the second says so.
const HOST: &str = "\
use libloading::{Library, Symbol};

type Function = unsafe extern \"C\" fn(*mut u64);

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let mut plug_in = std::env::current_exe().unwrap();
    plug_in.set_file_name(\"libplugin.so\");
    let mut cells = [0_u64; 2];
    let first = cells.as_mut_ptr() as usize;
    let second = if arguments[2] == \"same\" { first } else { first + 8 };
    unsafe {
        let library = Library::new(plug_in).unwrap();
        let function: Symbol<Function> = library.get(arguments[1].as_bytes()).unwrap();
        rayon::join(|| function(first as *mut u64), || function(second as *mut u64));
    }
}
";

fn project() -> Project {
    let workspace = "[dependencies]\nrayon = \"1\"\nlibloading = \"0.8\"\n\
        [workspace]\nmembers = [\"plugin\"]";
    let library = "[lib]\ncrate-type = [\"cdylib\"]\n[dependencies]\nrayon = \"1\"";
    Project::new(&[
        ("Cargo.toml", &manifest("host", workspace)),
        ("src/main.rs", HOST),
        ("plugin/Cargo.toml", &manifest("plugin", library)),
        ("plugin/src/lib.rs", PLUG_IN),
    ])
}

fn is_found(outcome: &Outcome, place: &str) {
    assert_eq!(outcome.code, Some(66), "{}", outcome.stderr);
    assert!(outcome.stderr.contains(place), "{place} is missing in {}", outcome.stderr);
}

fn is_clean(outcome: &Outcome) {
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("no determinacy race in any schedule"), "{}", outcome.stderr);
}

#[test]
fn races_in_a_plug_in_are_found_at_their_lines() {
    let project = project();
    for way in WAYS {
        let built = project.rosser(&format!("build --workspace {way}"));
        assert_eq!(built.code, Some(0), "{}", built.stderr);
        let run = |arguments: &str| project.rosser(&format!("run {way} -- {arguments}"));
        is_found(&run("bump same"), "--> plugin/src/lib.rs:8:5");
        is_clean(&run("bump different"));
        // A copy of rayon in the plug-in has tasks of its own, which the program's runtime hears of.
        is_found(&run("tasks different"), "--> plugin/src/lib.rs:13:20");
        // Blocks that come and go, and variables of the thread, are the plug-in's own.
        is_clean(&run("own different"));
    }
}

#[test]
fn a_plug_in_runs_in_a_program_that_is_not_checked() {
    let project = project();
    let cargo = Command::new(env!("CARGO")).arg("build").current_dir(project.path(".")).output();
    let cargo = cargo.expect("cargo starts");
    assert!(cargo.status.success(), "{}", String::from_utf8_lossy(&cargo.stderr));
    for (way, directory) in [
        ("", "fast/x86_64-unknown-linux-gnu/debug"),
        ("--quick", "quick/x86_64-unknown-linux-gnu/debug"),
        ("--workers 2", "fast-workers/x86_64-unknown-linux-gnu/debug"),
    ] {
        let built = project.rosser(&format!("build -p plugin {way}"));
        assert_eq!(built.code, Some(0), "{}", built.stderr);
        let plug_in = project.path("target/rosser").join(directory).join("libplugin.so");
        std::fs::copy(plug_in, project.path("target/debug/libplugin.so")).expect("it is built");
        for function in ["bump", "tasks", "own"] {
            let mut host = Command::new(project.path("target/debug/host"));
            let status = host.args([function, "different"]).status().expect("it starts");
            assert!(status.success(), "{way} {function}: {status}");
        }
    }
}

/// The symbols of a shared library or a program that others can have, and that it has itself.
fn exported(path: PathBuf) -> Vec<String> {
    use object::{Object, ObjectSymbol};
    let bytes = std::fs::read(path).expect("it is built");
    let file = object::File::parse(&*bytes).expect("it is an object file");
    let defined = file.dynamic_symbols().filter(|symbol| !symbol.is_undefined());
    defined.map(|symbol| symbol.name().expect("it is text").to_owned()).collect()
}

#[test]
fn whatever_is_idle_in_a_plug_in_is_in_the_program() {
    let project = project();
    for (way, directory) in [("", "fast"), ("--quick", "quick"), ("--workers 2", "fast-workers")] {
        let built = project.rosser(&format!("build --workspace {way}"));
        assert_eq!(built.code, Some(0), "{}", built.stderr);
        let directory =
            project.path("target/rosser").join(directory).join("x86_64-unknown-linux-gnu/debug");
        let of_program = exported(directory.join("host"));
        let own = ["bump", "tasks", "own"];
        for name in exported(directory.join("libplugin.so")) {
            // Some are for the task library on one worker or on several alone, or for old compilers.
            let is_of_library =
                ["rosser_task_", "rosser_promise", "rosser_future_", "rosser_library"]
                    .iter()
                    .any(|prefix| name.starts_with(prefix));
            let is_volatile = name.contains("volatile");
            let is_known = own.contains(&&*name) || is_of_library || is_volatile;
            assert!(is_known || of_program.contains(&name), "{way}: {name}");
        }
    }
}

#[test]
fn a_race_in_a_dynamic_library_of_rust_is_found() {
    let app = "[dependencies]\nrayon = \"1\"\nlibrary = { path = \"library\" }";
    let library = "[lib]\ncrate-type = [\"dylib\"]";
    let main = |second: &str| {
        format!(
            "fn main() {{\n\
             let mut cells = [0_u64; 2];\n\
             let first = cells.as_mut_ptr() as usize;\n\
             rayon::join(|| library::bump(first), || library::bump({second}));\n}}\n"
        )
    };
    let (racy, clean) = (main("first"), main("first + 8"));
    let project = Project::new(&[
        ("Cargo.toml", &manifest("app", app)),
        ("src/main.rs", &racy),
        ("library/Cargo.toml", &manifest("library", library)),
        (
            "library/src/lib.rs",
            "pub fn bump(cell: usize) {\n\
             let numbers: std::collections::HashSet<u64> = (0..10).collect();\n\
             unsafe { *(cell as *mut u64) += numbers.len() as u64 }\n}\n",
        ),
    ]);
    for flags in ["", "-Cprefer-dynamic"] {
        let run = |way: &str| project.rosser_with(&format!("run {way}"), &[("RUSTFLAGS", flags)]);
        for (main, is_racy) in [(&racy, true), (&clean, false)] {
            project.write("src/main.rs", main);
            for way in WAYS {
                let outcome = run(way);
                if is_racy {
                    is_found(&outcome, "--> library/src/lib.rs:3:10");
                } else {
                    is_clean(&outcome);
                }
            }
        }
    }
}

#[test]
fn a_static_library_brings_the_runtime_along() {
    let library = "[lib]\ncrate-type = [\"staticlib\"]\n[dependencies]\nrayon = \"1\"";
    let project = Project::new(&[
        ("Cargo.toml", &manifest("counted", library)),
        (
            "src/lib.rs",
            "static mut TOTAL: u64 = 0;\n\
             #[no_mangle] pub unsafe extern \"C\" fn both() {\n\
             rayon::join(|| TOTAL += 1, || TOTAL += 1);\n}\n",
        ),
        ("main.c", "void both(void);\nint main(void) { both(); return 0; }\n"),
    ]);
    for (way, directory) in [("", "fast"), ("--quick", "quick")] {
        let built = project.rosser(&format!("build {way}"));
        assert_eq!(built.code, Some(0), "{}", built.stderr);
        let library =
            format!("target/rosser/{directory}/x86_64-unknown-linux-gnu/debug/libcounted.a");
        let mut compiler = Command::new("cc");
        compiler.args(["main.c", &library, "-o", "main", "-lpthread", "-ldl", "-lm"]);
        let status = compiler.current_dir(project.path(".")).status().expect("cc starts");
        assert!(status.success());
        let runs = project.path("target/rosser/runs").join(directory);
        std::fs::create_dir_all(&runs).expect("it is ours");
        let main = Command::new(project.path("main")).env("ROSSER_RUN_DIR", &runs).status();
        assert!(main.expect("it starts").success());
        is_found(&project.rosser("report"), "--> src/lib.rs:3:");
    }
}
