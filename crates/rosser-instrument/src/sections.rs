//! A section for every function and variable, so that the linker can leave out those that nobody needs.

use std::ffi::{CStr, CString};

use crate::llvm::{Module, Value};

/// Gives each a section of its own, but for those that ask for one.
pub fn separate(module: &Module) {
    for function in module.functions().filter(|it| !it.is_declaration()) {
        place(function, ".text");
    }
    for variable in module.variables() {
        if let Some(initial) = variable.initial() {
            place(variable, section_of(variable, initial));
        }
    }
}

/// The section of the runtime's code. The linker knows where a section of such a name begins and ends.
const OWN_CODE: &CStr = c"rosser_text";

/// Puts all functions into the section of the runtime's code.
pub fn seal(module: &Module) {
    for function in module.functions().filter(|it| !it.is_declaration()) {
        function.set_section(OWN_CODE);
    }
}

fn place(it: Value, section: &str) {
    let is_special = it.name().starts_with("llvm.") || it.section().is_some();
    let Ok(name) = CString::new(format!("{section}.{}", it.name())) else { return };
    if !is_special && !it.name().is_empty() {
        it.set_section(&name);
    }
}

/// Where a variable belongs, by how it begins and whether it changes.
fn section_of(variable: Value, initial: Value) -> &'static str {
    match (variable.is_thread_local(), initial.is_zero()) {
        (true, true) => ".tbss",
        (true, false) => ".tdata",
        (false, _) if variable.is_constant_variable() => {
            if initial.has_addresses() {
                ".data.rel.ro"
            } else {
                ".rodata"
            }
        }
        (false, true) => ".bss",
        (false, false) => ".data",
    }
}
