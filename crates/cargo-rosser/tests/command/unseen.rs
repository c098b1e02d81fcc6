//! What a verdict says of code that has no checks: nothing if there is none, else what it is.

use std::process::Command;

use crate::project::{Outcome, Project, manifest};

const TWO_TASKS: &str = "rayon::join(|| (), || ());";

/// What the verdict names.
fn unseen(outcome: &Outcome) -> Option<String> {
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let (_, text) = outcome.stderr.split_once("= note: not seen: accesses by ")?;
    let note = text.split(" = ").next().unwrap_or(text);
    Some(note.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn project(main: &str, more: &str) -> Project {
    let dependencies = format!("{more}\n[dependencies]\nrayon = \"1\"\n");
    Project::new(&[("Cargo.toml", &manifest("app", &dependencies)), ("src/main.rs", main)])
}

#[test]
fn of_a_program_in_rust_nothing_is_unseen() {
    let main = format!(
        "use std::collections::HashMap;\n\
         fn main() {{\n\
         {TWO_TASKS}\n\
         let words: HashMap<u64, String> = (0..9).map(|it| (it, it.to_string())).collect();\n\
         println!(\"{{}} {{}}\", std::hint::black_box(words.len()), \n\
         std::is_x86_feature_detected!(\"avx2\"));\n}}\n"
    );
    let project = project(&main, "");
    for way in ["", "--release", "--quick"] {
        let outcome = project.rosser(&format!("run {way}"));
        assert_eq!(unseen(&outcome), None, "{}", outcome.stderr);
        assert!(!outcome.stderr.contains("outside the claim"), "{}", outcome.stderr);
    }
    let outcome = project.rosser("run --std unseen --quick");
    assert_eq!(unseen(&outcome).as_deref(), Some("the standard library"));
}

#[test]
fn code_that_is_linked_without_checks_is_named() {
    let main = format!(
        "extern \"C\" {{ fn zero() -> i32; fn one() -> i32; }}\n\
         fn main() {{ {TWO_TASKS} assert_eq!(unsafe {{ zero() + one() }}, 1) }}\n"
    );
    let project = project(&main, "build = \"build.rs\"\n[build-dependencies]\ncc = \"1\"");
    project.write("zero.c", "int zero(void) { return 0; }\n");
    project.write("one.c", "int one(void) { return 1; }\n");
    let script = "fn main() { cc::Build::new().file(\"zero.c\").file(ONE).compile(\"numbers\") }";
    project.write("build.rs", &script.replace("ONE", "\"one.c\""));
    assert_eq!(unseen(&project.rosser("run --quick")), None);
    project.write("build.rs", &script.replace("ONE", "\"one.S\""));
    project.write(
        "one.S",
        ".globl one\none: mov $1, %eax\nret\n.section .note.GNU-stack,\"\",@progbits\n",
    );
    for way in ["", "--quick"] {
        let named = unseen(&project.rosser(&format!("run {way}"))).unwrap_or_default();
        assert!(named.contains("one.o`") && !named.contains("zero"), "{named}");
    }
}

#[test]
fn assembly_that_accesses_memory_is_named() {
    let main = |assembly: &str| {
        format!(
            "fn main() {{\n{TWO_TASKS}\nlet mut cell = 0_u64;\n\
             unsafe {{ std::arch::asm!(\"{assembly}\", in(reg) &raw mut cell) }}\n}}\n"
        )
    };
    let project = project(&main("inc qword ptr [{}]"), "");
    let named = unseen(&project.rosser("run"));
    assert_eq!(named.as_deref(), Some("assembly in the crate `app`"));
    project.write("src/main.rs", &main("mov {0}, {0}"));
    assert_eq!(unseen(&project.rosser("run")), None);
}

#[test]
fn crates_that_the_user_leaves_out_are_named() {
    let project = project(
        &format!("fn main() {{ {TWO_TASKS} helper::help() }}"),
        "[dependencies.helper]\npath = \"helper\"",
    );
    project.write("helper/Cargo.toml", &manifest("helper", ""));
    project.write("helper/src/lib.rs", "pub fn help() {}");
    let outcome = project.rosser("run --quick --uninstrumented helper");
    assert_eq!(unseen(&outcome).as_deref(), Some("the crate `helper`"));
}

#[test]
fn libraries_without_checks_that_are_loaded_are_named() {
    let main = format!(
        "fn main() {{\n\
         {TWO_TASKS}\n\
         let library = unsafe {{ libloading::Library::new(\"./libplain.so\").unwrap() }};\n\
         drop(library);\n}}\n"
    );
    let project = project(&main, "[dependencies.libloading]\nversion = \"0.8\"");
    project.write("plain.c", "int plain(void) { return 0; }\n");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "plain.c", "-o", "libplain.so"]);
    assert!(compiler.current_dir(project.path(".")).status().expect("cc starts").success());
    assert_eq!(unseen(&project.rosser("run --quick")).as_deref(), Some("`libplain.so`"));
}
