//! The part of the runtime that becomes part of the program: what every access goes through first.
//!
//! The runtime is compiled to bitcode. Of that a small module is made, which has the callbacks for plain accesses
//! and declares all that they refer to; it is linked into every module of the program, and inlined there. The
//! runtime itself is made into machine code from the same bitcode, so the two agree on everything.

use std::ffi::CString;

use crate::fewer;
use crate::llvm::{Block, Builder, Linkage, Machine, Module, Opcode, Value};

/// What the names of callbacks begin with: of those that are called, by machine code of C and C++ as well, and of
/// those that are inlined.
const CALLED: &str = "__tsan_";
const INLINED: &str = "rosser_";

/// Whether this, after the prefix, is the name of a callback for plain accesses.
fn is_plain(name: &str) -> bool {
    let access = name.strip_prefix("unaligned_").unwrap_or(name);
    let kind = access.trim_end_matches(|end: char| end.is_ascii_digit());
    matches!(kind, "read" | "write" | "read_write") && kind != access
}

/// What LLVM may know of checks while it optimises the program around them: they look at nothing of the program's,
/// so that it can keep in registers what it could without them.
pub fn tell_what_checks_do(module: &Module) {
    let is_check = |it: &Value| {
        let name = it.name().strip_prefix(CALLED);
        name.is_some_and(|it| is_plain(it) || matches!(it, "read_range" | "write_range"))
    };
    for function in module.functions().filter(is_check) {
        module.promise_own_memory(function);
        for promise in ["nounwind", "willreturn", "nofree", "nosync", "nocallback"] {
            module.promise(function, promise);
        }
    }
}

/// Makes the fast path part of a module: its callbacks for plain accesses are those that are inlined, but where
/// that would only make the program larger.
pub fn adopt(module: &Module, fast_path: &[u8]) -> Result<(), String> {
    for function in module.functions().collect::<Vec<_>>() {
        if let Some(name) = function.name().strip_prefix(CALLED).filter(|name| is_plain(name)) {
            function.set_name(&format!("{INLINED}{name}"));
        }
    }
    for function in module.functions().filter(|it| !it.is_declaration()).collect::<Vec<_>>() {
        call_where_rare(module, function);
    }
    module.link(fast_path)
}

/// The largest number of checks in a function that gets them inlined even outside of loops: it may be called often.
const FEW: usize = 8;

/// Has the checks of a function be called that are not in its loops, or in loops that call other functions anyway, if
/// there are many: they are most of all checks, and make the least of the time that the program takes.
fn call_where_rare(module: &Module, function: Value) {
    let is_inlined =
        |it: &Value| it.opcode() == Opcode::Call && it.callee().is_some_and(is_inlined);
    let checks = |block: Block| block.instructions().filter(is_inlined).collect::<Vec<_>>();
    if function.blocks().map(|block| checks(block).len()).sum::<usize>() <= FEW {
        return;
    }
    let in_loops = fewer::blocks_in_tight_loops(function, calls_others);
    for block in function.blocks().filter(|block| !in_loops.contains(block)) {
        for check in checks(block) {
            call(module, check);
        }
    }
}

/// Whether an instruction calls a function that is neither inlined nor LLVM's own.
fn calls_others(instruction: Value) -> bool {
    matches!(instruction.opcode(), Opcode::Call | Opcode::Invoke)
        && instruction
            .callee()
            .is_none_or(|callee| !is_inlined(callee) && !callee.name().starts_with("llvm."))
}

/// Has a check be called that would be inlined.
fn call(module: &Module, check: Value) {
    let callee = check.callee().expect("a check calls a callback");
    let name = callee.name().strip_prefix(INLINED).expect("it is one that is inlined");
    let builder = Builder::before(module, check);
    let address = check.arguments()[0];
    let call = |name: &str, address: Value| {
        let call = builder.call(called(module, name), &[address]);
        call.set_line(check.line());
        module.keep_in_place(call);
    };
    match name.strip_suffix("16") {
        // Two words.
        Some(kind) if !name.starts_with("unaligned_") => {
            call(&format!("{kind}8"), address);
            call(&format!("{kind}8"), builder.offset(address, module.number(8)));
        }
        _ => call(name, address),
    }
    check.erase();
}

/// The callback that is called. Those for words leave registers alone.
fn called(module: &Module, name: &str) -> Value {
    let symbol = CString::new(format!("{CALLED}{name}")).expect("names have no zeros");
    if name.starts_with("unaligned_") {
        return module.external(&symbol, &[module.pointer()]);
    }
    let function = module.external_of(&symbol, module.i8(), &[module.pointer()]);
    function.keeps_registers();
    function
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

fn is_inlined(function: Value) -> bool {
    function.name().strip_prefix(INLINED).is_some_and(is_plain)
}

/// What is inlined, and what that refers to.
pub struct FastPath {
    /// The module that becomes part of every module of the program.
    pub bitcode: Vec<u8>,
    /// The functions of the runtime that it calls.
    pub functions: Vec<String>,
    /// The variables of the runtime that it uses: one for each thread.
    pub variables: Vec<String>,
}

/// The small module of the runtime's, whose insides are exposed.
pub fn of_runtime(module: &Module, machine: &Machine) -> Result<FastPath, String> {
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
    let name = |it: Value| it.name().to_owned();
    // Not what the compiler adds for unwinding, which every library has.
    let is_of_runtime = |it: &Value| is_called(it) && it.name().contains(INLINED);
    Ok(FastPath {
        bitcode: module.to_bitcode(),
        functions: module.functions().filter(is_of_runtime).map(name).collect(),
        variables: module.variables().filter(|it| it.initial().is_none()).map(name).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn plain_accesses_are_inlined_and_nothing_else_is() {
        for name in ["read1", "write16", "read_write4", "unaligned_read2", "read3"] {
            assert!(is_plain(name), "{name}");
        }
        for name in ["read_range", "memcpy", "atomic8_load", "first_read1", "read"] {
            assert!(!is_plain(name), "{name}");
        }
    }
}
