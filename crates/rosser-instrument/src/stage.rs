//! From a module of bitcode to checked machine code.

use std::path::{Path, PathBuf};

use crate::archive::{self, BITCODE};
use crate::llvm::{Machine, Module};
use crate::pipeline::{self, Effort};
use crate::{fast_path, fewer, insert, ownership, sections, unseen};

/// What the stage works with.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The small module of the runtime, as bitcode, if checks are inlined.
    pub fast_path: Option<Vec<u8>>,
    /// How much is done for the speed of the program.
    pub effort: Effort,
}

impl Stage {
    /// Checks a module: bitcode becomes machine code.
    pub fn check(&self, bitcode: &[u8]) -> Result<Vec<u8>, String> {
        let module = read(bitcode)?;
        let machine = Machine::of(&module, self.effort.of_emission())?;
        unseen::tell_apart(&module);
        let owned = ownership::mark(&module);
        pipeline::before(&module, &machine, self.effort)?;
        insert::into_module(&module, &owned);
        drop(owned);
        if matches!(self.effort, Effort::Fast(_)) {
            fewer::make_fewer(&module, &machine)?;
        }
        fewer::keep_in_place(&module);
        if cfg!(debug_assertions) {
            module.verify()?;
        }
        module.dump("inserted");
        if let Some(fast_path) = &self.fast_path {
            fast_path::adopt(&module, fast_path)?;
        }
        module.dump("linked");
        pipeline::after(&module, &machine, self.effort)?;
        module.dump("after");
        sections::separate(&module);
        module.emit(&machine)
    }

    /// Checks all modules of a library.
    pub fn check_library(&self, path: &Path) -> Result<(), String> {
        archive::change_members(path, |_, bytes| {
            bytes.starts_with(BITCODE).then(|| self.check(bytes)).transpose()
        })
    }
}

/// Makes the runtime of its crates, which the compiler has left as bitcode: machine code, all of it in the last of
/// the libraries, and the fast path.
pub fn make_runtime(libraries: &[PathBuf], fast_path: &Path) -> Result<(), String> {
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
    fast_path::expose(&module);
    let small = fast_path::of_runtime(&read(&module.to_bitcode())?, &machine)?;
    archive::replace(fast_path, &small)?;
    pipeline::after(&module, &machine, Effort::Fast(3))?;
    sections::separate(&module);
    let mut code = Some(module.emit(&machine)?);
    for library in libraries.iter().rev() {
        archive::change_members(library, |_, bytes| {
            Ok(bytes.starts_with(BITCODE).then(|| code.take().unwrap_or_default()))
        })?;
    }
    Ok(())
}

fn read(bitcode: &[u8]) -> Result<Module, String> {
    Module::read(bitcode).ok_or_else(|| "the compiler's LLVM cannot read its bitcode".to_owned())
}
