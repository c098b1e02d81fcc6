//! What shared libraries have in place of the runtime, in C.
//!
//! A plug-in may be loaded by a program that is not checked: Python, or a host that was built as always. Then
//! the callbacks of its code do nothing, and its tasks run one after the other. If the program is checked, the
//! loader finds the program's symbols first, and nothing of this is ever called.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use rosser_instrument::FastPath;

use crate::c_compiler::IDLE;
use crate::runtime_cache::Runtime;

/// What checked code and the task libraries call by name.
const NAMES: [&str; 2] = ["__tsan_*", "rosser_*"];

/// Weak but visible, so that the program's own come first.
const VISIBLE: &str = "#define IDLE __attribute__((weak, visibility(\"default\")))\n";
/// Says that tasks run on several workers, of which the inlined part knows.
const WORKERS: &str = "#define WORKERS\n";

/// The functions of the runtime that are not the sanitizer's.
const TASKS: &str = include_str!("idle_tasks.c");
/// What an inlined check looks at.
const CELL: &str = include_str!("idle_cell.c");

/// All names that checked code refers to.
pub fn names(runtime: &Path) -> Vec<String> {
    let inlined = fs::read_to_string(Runtime::inlined(runtime)).unwrap_or_default();
    // Each is in parentheses, with quotes.
    let inlined = inlined.split('"').skip(1).step_by(2).map(str::to_owned);
    NAMES.iter().map(ToString::to_string).chain(inlined).collect()
}

/// The source of everything.
pub fn source(runtime: &Path) -> String {
    let workers = if Runtime::has_workers(runtime) { WORKERS } else { "" };
    let mut source = [VISIBLE, workers, IDLE, TASKS].concat();
    if let Ok(inlined) = fs::read_to_string(Runtime::inlined(runtime)) {
        source.push_str(CELL);
        source.push_str(&inlined);
    }
    source
}

/// What defines all that the inlined part refers to, after the rest of the source.
pub fn inlined(fast_path: &FastPath) -> String {
    let mut text = String::new();
    for (number, name) in fast_path.functions.iter().enumerate() {
        let _ = writeln!(text, "FUNCTION({number}, \"{name}\")");
    }
    for (number, name) in fast_path.variables.iter().enumerate() {
        let _ = writeln!(text, "VARIABLE({number}, \"{name}\")");
    }
    text
}
