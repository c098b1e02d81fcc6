//! What executors call is declared once, defined by the runtime, and there in plug-ins that have no runtime.

use std::fs;

use super::{read, root, walk};

/// The names of the functions that `rosser_abi::executor` declares.
fn declared() -> Vec<String> {
    let text = read("crates/rosser-abi/src/executor.rs");
    let functions = text.lines().filter_map(|line| line.trim_start().strip_prefix("fn rosser_"));
    let names: Vec<String> =
        functions.map(|rest| format!("rosser_{}", rest.split('(').next().unwrap())).collect();
    assert!(names.len() > 20, "{names:?}");
    names
}

#[test]
fn the_runtime_holds_every_definition_against_the_declaration() {
    let source = root().join("crates/rosser-runtime/src");
    let text: String =
        walk(&source).iter().filter_map(|path| fs::read_to_string(path).ok()).collect();
    for name in declared() {
        assert!(text.contains(&format!("const _: signature::{name} = {name};")), "{name}");
    }
}

#[test]
fn plug_ins_without_a_runtime_have_every_function() {
    let text = read("crates/cargo-rosser/src/wrapper/idle_tasks.c");
    for name in declared() {
        assert!(text.contains(&format!("{name}(")), "{name}");
    }
}

#[test]
fn executors_declare_nothing_themselves() {
    for parent in ["crates/rosser/src", "crates/rosser-c/src", "shims/rayon-core/src"] {
        for path in walk(&root().join(parent)) {
            if path.canonicalize().unwrap().ends_with("rosser-abi/src/executor.rs") {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap_or_default();
            let blocks = text.split("extern \"C\" {").skip(1);
            for block in blocks.filter_map(|rest| rest.split("\n}").next()) {
                assert!(!block.contains("fn rosser_"), "{}", path.display());
            }
        }
    }
}
