//! The part of the runtime that becomes part of the program: what every access goes through first.
//!
//! The runtime is compiled to bitcode. Of that a small module is made, which has the callbacks for plain accesses
//! and declares all that they refer to; it is linked into every module of the program, and inlined there. The
//! runtime itself is made into machine code from the same bitcode, so the two agree on everything.

use crate::llvm::{Block, Linkage, Machine, Module, Opcode, Value};

/// The functions that are inlined.
fn is_inlined(function: Value) -> bool {
    let name = function.name();
    let Some(name) = name.strip_prefix("__tsan_") else { return false };
    let name = name.strip_prefix("unaligned_").unwrap_or(name);
    let size = name.strip_prefix("read_write").or_else(|| name.strip_prefix("read"));
    let size = size.or_else(|| name.strip_prefix("write"));
    size.is_some_and(|size| size.parse::<u32>().is_ok())
}

/// Lets what the callbacks refer to be found from other modules.
pub fn expose(module: &Module) {
    let is_local = |it: &Value| {
        it.linkage() == Linkage::Internal as i32 || it.linkage() == Linkage::Private as i32
    };
    let all = module.functions().chain(module.variables());
    for (number, it) in all.filter(is_local).enumerate() {
        if it.name().is_empty() {
            it.set_name(&format!("rosser_runtime.{number}"));
        }
        it.set_linkage(Linkage::External);
    }
}

/// The small module, as bitcode, of the runtime's, whose insides are exposed.
pub fn of_runtime(module: &Module, machine: &Machine) -> Result<Vec<u8>, String> {
    module.forget_assembly();
    for name in ["llvm.used", "llvm.compiler.used", "llvm.global_ctors"] {
        let special = module.variables().find(|it| it.name() == name);
        if let Some(special) = special {
            special.delete_variable();
        }
    }
    let defined = module.functions().filter(|it| !it.is_declaration());
    for function in defined.collect::<Vec<_>>() {
        if is_inlined(function) {
            function.leave_group();
            module.promise(function, "alwaysinline");
        } else {
            function.leave_group();
            function.set_linkage(Linkage::AvailableExternally);
        }
    }
    for variable in module.variables().filter(|it| it.initial().is_some()).collect::<Vec<_>>() {
        variable.set_linkage(Linkage::AvailableExternally);
    }
    module.run(c"elim-avail-extern,globaldce,strip-dead-prototypes", machine)?;
    // Nothing of the runtime unwinds. So the callbacks need not be prepared for it.
    let is_called = |it: &Value| it.is_declaration() && !it.name().starts_with("llvm.");
    module.functions().filter(is_called).for_each(|it| module.promise(it, "nounwind"));
    module.run(c"function(simplifycfg),globaldce,strip-dead-prototypes", machine)?;
    // Where one is linked into a module, it is that module's own.
    let inlined = module.functions().filter(|it| is_inlined(*it) && !it.is_declaration());
    inlined.for_each(|function| function.set_linkage(Linkage::LinkOnceOdr));
    // What they call looks where it returns to.
    let instructions = module.functions().flat_map(Value::blocks).flat_map(Block::instructions);
    let calls = instructions.filter(|it| {
        it.opcode() == Opcode::Call && it.callee().is_some_and(|it| !it.name().starts_with("llvm."))
    });
    calls.for_each(|call| module.keep_in_place(call));
    Ok(module.to_bitcode())
}
