//! The standard library without checks, for code that is not seen.
//!
//! The shim and the task library wait for each other by locks of the standard library. The short part of a lock is
//! inlined into them and not seen. The long part is a function of the library. If they called the one that is seen,
//! the detector would hear half of each hand-over, and take it for order that the program has made.
//!
//! So every function of the library that is seen has a *twin*: the same code without checks, in an object file
//! beside the one that is seen. A twin calls twins. Code that is not seen calls twins, too ([`Twins::redirect`]).
//! Variables exist once: both use the same ones ([`share_variables`]).

use std::collections::BTreeSet;
use std::fs;
use std::hash::{BuildHasher, BuildHasherDefault};
use std::path::Path;

use rustc_hash::FxHasher;

use crate::archive;
use crate::llvm::{Block, Linkage, Machine, Module, Value};
use crate::unseen;
use crate::{sections, standard_library};

/// What is added to the name of a function for that of its twin.
pub const SUFFIX: &str = ".unseen";

/// The functions of the standard library that have a twin, by their names as the linker knows them.
#[derive(Clone, Debug, Default)]
pub struct Twins(BTreeSet<String>);

impl Twins {
    /// Adds the functions that a module of the standard library has for others.
    pub fn add(&mut self, module: &Module) {
        let functions = module.functions().filter(|it| !it.is_declaration());
        for it in functions.chain(module.aliases()).filter(|it| is_for_others(*it)) {
            if is_mangled(it.name()) && standard_library::is_seen(it.name()) {
                self.0.insert(it.name().to_owned());
            }
        }
    }

    /// Reads what [`Twins::write`] has written.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(path)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        Ok(Self(text.lines().map(str::to_owned).collect()))
    }

    /// Writes the names to a file, one per line.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let lines: Vec<&str> = self.0.iter().map(String::as_str).collect();
        fs::write(path, lines.join("\n")).map_err(|error| archive::cannot_write(path, &error))
    }

    /// Makes the twins of a module of the standard library: machine code.
    pub fn emit(&self, module: &Module) -> Result<Vec<u8>, String> {
        standard_library::forget_used(module);
        module.forget_assembly();
        for variable in module.variables().filter(|it| it.initial().is_some()) {
            variable.leave_group();
            if is_for_others(variable) {
                variable.set_linkage(Linkage::AvailableExternally);
            }
        }
        let functions = module.functions().filter(|it| !it.is_declaration());
        for it in functions.chain(module.aliases()) {
            if !it.is_alias() {
                it.leave_group();
            }
            // What has no twin is used by twins only.
            if is_for_others(it) && !self.0.contains(it.name()) {
                it.set_linkage(Linkage::Internal);
            }
        }
        self.redirect(module);
        let machine = Machine::of(module, 3)?;
        module.run(c"globaldce", &machine)?;
        sections::separate(module);
        module.emit(&machine)
    }

    /// Has all functions of a module use twins: those that it defines become twins themselves.
    pub fn redirect(&self, module: &Module) {
        for it in module.functions().chain(module.aliases()) {
            if is_for_others(it) && self.0.contains(it.name()) {
                it.set_name(&format!("{}{SUFFIX}", it.name()));
            }
        }
    }

    /// Has those functions of a module call twins that are not seen.
    pub fn redirect_unseen(&self, module: &Module) {
        let is_unseen = |it: &Value| !it.is_declaration() && !unseen::is_seen(*it);
        let functions: Vec<Value> = module.functions().filter(is_unseen).collect();
        for instruction in functions.iter().flat_map(|it| it.blocks()).flat_map(Block::instructions)
        {
            let callee = instruction.called().filter(|it| it.is_declaration());
            if let Some(callee) = callee.filter(|it| self.0.contains(it.name())) {
                let twin = module.declared_like(&format!("{}{SUFFIX}", callee.name()), callee);
                instruction.set_callee(twin);
            }
        }
    }
}

/// Has the twins of a module, which are in another object file, use the same variables. Names get a suffix of the
/// form that LLVM has for this, which tools for names leave out.
pub fn share_variables(module: &Module) {
    let source = BuildHasherDefault::<FxHasher>::default().hash_one(module.source_name());
    for (index, variable) in module.variables().enumerate() {
        let changes = variable.initial().is_some() && !variable.is_constant_variable();
        if changes && !is_for_others(variable) {
            let number = source.wrapping_add(index as u64);
            variable.set_name(&format!("{}.llvm.{number}", variable.name()));
            variable.set_linkage(Linkage::External);
        }
    }
}

/// Whether other modules can refer to a function or variable.
fn is_for_others(it: Value) -> bool {
    let own = [Linkage::Internal as i32, Linkage::Private as i32];
    !own.contains(&it.linkage()) && !it.name().starts_with("llvm.")
}

/// Whether the compiler has made the name.
fn is_mangled(name: &str) -> bool {
    name.starts_with("_R") || name.starts_with("_ZN")
}
