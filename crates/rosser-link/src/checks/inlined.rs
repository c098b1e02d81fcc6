//! Calls of callbacks that are to be inlined get the name of what is inlined.
//!
//! The runtime has two of each: `__tsan_read4` for machine code, of C and C++, finds out where it was called
//! by its return address; `rosser_read4` is inlined into bitcode, and asks where it is.

use crate::llvm::{Module, Value};

/// What the names begin with, before and after.
const CALLED: &str = "__tsan_";
const INLINED: &str = "rosser_";

/// Renames the callbacks of plain accesses that a module calls.
pub fn name(module: &Module) {
    let declared: Vec<Value> = module.functions().filter(|it| it.is_declaration()).collect();
    for function in declared {
        if let Some(name) = inlined(function.name()) {
            function.set_name(&name);
        }
    }
}

/// The name of what is inlined, if the callback is one that is.
fn inlined(name: &str) -> Option<String> {
    let name = name.strip_prefix(CALLED)?;
    let access = name.strip_prefix("unaligned_").unwrap_or(name);
    let kind = access.trim_end_matches(|end: char| end.is_ascii_digit());
    let is_plain = matches!(kind, "read" | "write" | "read_write") && kind != access;
    (is_plain || name == "vptr_read").then(|| format!("{INLINED}{name}"))
}

#[cfg(test)]
mod tests {
    use super::inlined;

    #[test]
    fn plain_accesses_are_inlined_and_nothing_else_is() {
        for name in ["read1", "write16", "read_write4", "unaligned_read2", "vptr_read"] {
            let expected = Some(format!("rosser_{name}"));
            assert_eq!(inlined(&format!("__tsan_{name}")), expected);
        }
        for name in ["__tsan_read_range", "__tsan_memcpy", "__tsan_atomic8_load", "read1"] {
            assert_eq!(inlined(name), None);
        }
    }
}
