//! The standard library, seen.
//!
//! Its libraries come with the bitcode that they were made of, optimised already. Checks are put into that of `core`,
//! `alloc`, `std` and `hashbrown`, and all libraries are laid out as a compiler's, for `--sysroot`. What they say
//! of themselves to the compiler stays as it is, so crates that were compiled with the one link with the other.
//!
//! Left out is what the library does for its own sake at the beginning and end of threads, when something panics,
//! and between a program and its allocator: a program cannot order its tasks by it, but a detector would think so.

use std::cell::RefCell;
use std::fs;
use std::os::unix::fs::symlink;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;

use object::{Object, ObjectSection};
use rosser_abi::names::standard_library::{FOR_BACKTRACES, HIDDEN, MESSAGE, SEEN, STREAMS, UNSEEN};
use rustc_hash::FxHashMap;

use crate::archive::{self, BITCODE};
use crate::insert;
use crate::llvm::{Linkage, Module, Value};
use crate::stage::{Stage, read};
use crate::twins::{self, Twins};

/// Whether a function of the standard library is seen, by its mangled name.
pub fn is_seen(name: &str) -> bool {
    let name = demangled(name);
    let path = name.trim_start_matches(['<', '&', '(']);
    !UNSEEN.iter().any(|part| path.starts_with(part))
        && !path.starts_with("__rustc::")
        && !FOR_BACKTRACES.iter().any(|part| name.contains(part))
}

fn demangled(name: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(name))
}

/// What is not checked in functions that are seen.
#[derive(Default)]
pub struct Unchecked {
    /// Whether functions are of streams, as far as that is known.
    streams: RefCell<FxHashMap<Value, bool>>,
}

impl insert::Unchecked for Unchecked {
    fn has(&self, function: Value, _instruction: Value) -> bool {
        let is_of_stream = || demangled(function.name()).contains(STREAMS);
        *self.streams.borrow_mut().entry(function).or_insert_with(is_of_stream)
    }

    fn hides(&self, function: Value) -> bool {
        let name = demangled(function.name());
        HIDDEN.iter().any(|hidden| name == *hidden) || name.contains(MESSAGE)
    }
}

/// Puts checks into the libraries in one directory; what is made of them, and all else, is in the other one then.
/// Returns the functions that have twins.
pub fn make(stage: &Stage, from: &Path, to: &Path) -> Result<Twins, String> {
    fs::create_dir_all(to).map_err(|error| archive::cannot_write(to, &error))?;
    let mut twins = Twins::default();
    for bitcode in bitcode(from)? {
        twins.add(&read(&bitcode)?);
    }
    let (libraries, others): (Vec<_>, Vec<_>) =
        files(from)?.into_iter().partition(|path| which(path).is_some());
    // Without the library as a shared one, which has no checks, a crate that is a shared library brings it along.
    for path in others.into_iter().filter(|path| path.extension().is_none_or(|it| it != "so")) {
        let new = to.join(path.file_name().unwrap_or_default());
        symlink(&path, &new).map_err(|error| archive::cannot_write(&new, &error))?;
    }
    thread::scope(|scope| {
        let making: Vec<_> = libraries
            .iter()
            .map(|path| {
                let new = to.join(path.file_name().unwrap_or_default());
                let twins = &twins;
                scope.spawn(move || make_library(stage, twins, path, &new))
            })
            .collect();
        // A panic of ours goes on as one.
        making.into_iter().try_for_each(|one| one.join().unwrap_or_else(|it| resume_unwind(it)))
    })?;
    Ok(twins)
}

/// Puts checks into one library, and adds the twins of its functions.
fn make_library(stage: &Stage, twins: &Twins, from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to).map_err(|error| archive::cannot_write(to, &error))?;
    let mut without_checks = Vec::new();
    archive::change_members(to, |name, bytes| {
        let Some(bitcode) = embedded(bytes) else { return Ok(None) };
        let module = read(bitcode)?;
        twins::share_variables(&module);
        without_checks.push((format!("unseen.{name}"), twins.emit(&module)?));
        stage.check_optimised(bitcode).map(Some)
    })?;
    archive::add_members(to, without_checks)
}

/// The bitcode of the libraries that are seen, such that those come first that refer to others.
pub fn bitcode(directory: &Path) -> Result<Vec<Vec<u8>>, String> {
    let mut libraries: Vec<(usize, PathBuf)> =
        files(directory)?.into_iter().filter_map(|path| Some((which(&path)?, path))).collect();
    libraries.sort();
    let mut modules = Vec::new();
    for (_, path) in libraries.iter().rev() {
        archive::each_member(path, |bytes| modules.extend(embedded(bytes).map(<[u8]>::to_vec)))?;
    }
    Ok(modules)
}

/// Lets the linker leave out what nobody refers to, whatever a module says.
pub fn forget_used(module: &Module) {
    for name in ["llvm.used", "llvm.compiler.used"] {
        if let Some(special) = module.variables().find(|it| it.name() == name) {
            special.delete_variable();
        }
    }
}

/// Lets a module of the standard library be linked into another one such that only what is needed comes along.
pub fn make_optional(module: &Module) {
    forget_used(module);
    for it in defined(module) {
        it.leave_group();
        it.set_linkage(Linkage::LinkOnceOdr);
    }
}

/// Has what has come along be a module's own.
pub fn make_own(module: &Module) {
    let optional = |it: &Value| it.linkage() == Linkage::LinkOnceOdr as i32;
    for it in defined(module).into_iter().filter(optional) {
        it.set_linkage(Linkage::Internal);
    }
}

fn defined(module: &Module) -> Vec<Value> {
    let functions = module.functions().filter(|it| !it.is_declaration());
    functions.chain(module.variables().filter(|it| it.initial().is_some())).collect()
}

fn files(directory: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(directory)
        .map_err(|error| format!("cannot read {}: {error}", directory.display()))?;
    Ok(entries.filter_map(|entry| Some(entry.ok()?.path())).collect())
}

/// Which of the seen libraries a file is.
pub fn which(path: &Path) -> Option<usize> {
    let name = path.file_name()?.to_str()?;
    let name = name.strip_prefix("lib")?.strip_suffix(".rlib")?;
    SEEN.iter().position(|seen| name.strip_prefix(seen).is_some_and(|rest| rest.starts_with('-')))
}

/// The bitcode in an object file.
pub fn embedded(bytes: &[u8]) -> Option<&[u8]> {
    let file = object::File::parse(bytes).ok()?;
    let bitcode = file.section_by_name(".llvmbc")?.data().ok()?;
    bitcode.starts_with(BITCODE).then_some(bitcode)
}

#[cfg(test)]
mod tests {
    use super::is_seen;

    #[test]
    fn functions_are_told_by_their_modules() {
        assert!(!is_seen("_ZN3std9panicking12default_hook17h0123456789abcdefE"));
        assert!(!is_seen("_ZN3std6thread2id3imp17h0123456789abcdefE"));
        assert!(is_seen("_ZN3std2io5stdio6_print17h0123456789abcdefE"));
        assert!(is_seen("_ZN4core3fmt5write17h0123456789abcdefE"));
    }
}
