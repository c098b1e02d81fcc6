//! From a module of bitcode to checked machine code.

use std::path::{Path, PathBuf};

use rosser_abi::checks::Kind;

use crate::archive::{self, BITCODE};
use crate::checked::Checked;
use crate::fast_path::FastPath;
use crate::llvm::{Machine, Module};
use crate::pipeline::{self, Effort};
use crate::twins::Twins;
use crate::{
    distinct, fast_path, fewer, foreign, frames, insert, lines, ownership, sections,
    standard_library, twins, unseen,
};

/// What the stage works with.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The small module of the runtime, as bitcode, if checks are inlined.
    pub fast_path: Option<Vec<u8>>,
    /// How much is done for the speed of the program.
    pub effort: Effort,
    /// A kind of checks to leave out, for tests.
    pub left_out: Option<Kind>,
    /// What code that is not seen calls in place of the standard library, if that is seen.
    pub twins: Option<Twins>,
}

impl Stage {
    /// Checks a module: bitcode becomes machine code.
    pub fn check(&self, bitcode: &[u8]) -> Result<Vec<u8>, String> {
        let module = read(bitcode)?;
        let machine = Machine::of(&module, self.effort.of_emission())?;
        lines::complete(&module);
        unseen::tell_apart(&module);
        let owned = ownership::mark(&module);
        pipeline::before(&module, &machine, self.effort)?;
        distinct::forget_in_loops(&module);
        name_assembly(&module);
        let checked = Checked { module: &module, left_out: self.left_out };
        insert::into_module(&checked, &owned);
        drop(owned);
        self.make_fewer(&checked, &machine)?;
        pipeline::after(&module, &machine, self.effort)?;
        if let Some(twins) = &self.twins {
            twins.redirect_unseen(&module);
        }
        frames::keep(&module);
        self.finish(&module, &machine)
    }

    /// Checks a module of the standard library, which is optimised already.
    pub fn check_optimised(&self, bitcode: &[u8]) -> Result<Vec<u8>, String> {
        let module = read(bitcode)?;
        let machine = Machine::of(&module, self.effort.of_emission())?;
        twins::share_variables(&module);
        unseen::tell_apart_of_std(&module);
        let checked = Checked { module: &module, left_out: self.left_out };
        insert::into_module(&checked, &standard_library::Unchecked::default());
        self.make_fewer(&checked, &machine)?;
        pipeline::after_optimised(&module, &machine)?;
        self.finish(&module, &machine)
    }

    /// Takes checks out of loops. The others stay where they are, whatever LLVM does around them.
    fn make_fewer(&self, module: &Checked, machine: &Machine) -> Result<(), String> {
        if matches!(self.effort, Effort::Fast(_)) {
            fewer::make_fewer(module, machine)?;
        }
        fewer::keep_in_place(module);
        fast_path::tell_what_checks_do(module);
        if cfg!(debug_assertions) { module.verify() } else { Ok(()) }
    }

    /// Has checks be inlined, and makes machine code.
    fn finish(&self, module: &Module, machine: &Machine) -> Result<Vec<u8>, String> {
        if let Some(fast_path) = &self.fast_path {
            fast_path::adopt(module, fast_path)?;
            pipeline::inline_checks(module, machine)?;
        }
        sections::separate(module);
        module.emit(machine)
    }

    /// Checks all modules of a library.
    pub fn check_library(&self, path: &Path) -> Result<(), String> {
        archive::change_members(path, |_, bytes| {
            bytes.starts_with(BITCODE).then(|| self.check(bytes)).transpose()
        })
    }

    /// Has a library that is not seen use the twins of the standard library. The compiler has left its bitcode
    /// beside the machine code.
    pub fn redirect_library(&self, path: &Path) -> Result<(), String> {
        let Some(twins) = &self.twins else { return Ok(()) };
        archive::change_members(path, |_, bytes| {
            let Some(bitcode) = standard_library::embedded(bytes) else { return Ok(None) };
            let module = read(bitcode)?;
            twins.redirect(&module);
            module.emit(&Machine::of(&module, 3)?).map(Some)
        })
    }
}

/// Makes the runtime of its crates, which the compiler has left as bitcode: machine code, all of it in the last of
/// the libraries and, if one is wanted, the fast path, which is returned.
///
/// What it needs of the standard library, in the given directory, becomes part of it: the program's is seen, but
/// the runtime's copy is not. All of its code is in one section, so that it knows itself.
pub fn make_runtime(
    libraries: &[PathBuf],
    standard_library: &Path,
    with_fast_path: bool,
) -> Result<Option<FastPath>, String> {
    let mut modules = Vec::new();
    for library in libraries {
        archive::each_member(library, |bytes| {
            if bytes.starts_with(BITCODE) {
                modules.push(bytes.to_vec());
            }
        })?;
    }
    let (last, others) = modules.split_last().ok_or("the runtime is empty")?;
    let module = read(last)?;
    others.iter().try_for_each(|other| module.link(other))?;
    let machine = Machine::of(&module, 3)?;
    let mut fast_path = None;
    if with_fast_path {
        fast_path::expose(&module);
        fast_path = Some(fast_path::of_runtime(&read(&module.to_bitcode())?, &machine)?);
    }
    for library in standard_library::bitcode(standard_library)? {
        let library = read(&library)?;
        standard_library::make_optional(&library);
        module.link(&library.to_bitcode())?;
    }
    standard_library::make_own(&module);
    pipeline::whole(&module, &machine)?;
    sections::seal(&module);
    let mut code = Some(module.emit(&machine)?);
    for library in libraries.iter().rev() {
        archive::change_members(library, |_, bytes| {
            Ok(bytes.starts_with(BITCODE).then(|| code.take().unwrap_or_default()))
        })?;
    }
    Ok(fast_path)
}

/// If a module has assembly that is not seen, its object says so.
fn name_assembly(module: &Module) {
    if insert::assembly::is_unseen(module) {
        let source = module.source_name();
        let name = source.split('.').next().unwrap_or_default();
        module.add_assembly(&foreign::as_assembly(&[format!("assembly in the crate `{name}`")]));
    }
}

/// Reads what the compiler has written.
pub fn read(bitcode: &[u8]) -> Result<Module, String> {
    Module::read(bitcode).ok_or_else(|| "the compiler's LLVM cannot read its bitcode".to_owned())
}
