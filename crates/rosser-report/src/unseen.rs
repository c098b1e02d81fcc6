//! Code that ran, or could have, and of whose accesses nothing is known.
//!
//! Every program and shared library names in a section of its own what was linked into it without checks. Which
//! libraries were loaded is in the run file; one has checks if it has symbols of the runtime. The libraries of the
//! system that every Rust program is linked with are not named: their functions count as accesses by whoever calls
//! them, as far as the runtime knows them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use object::{Object, ObjectSection, ObjectSymbol, ReadCache, ReadRef};
use rosser_abi::names::symbols;

/// Libraries that every Rust program is linked with, and what the system adds.
const OF_SYSTEM: [&str; 9] = [
    "libc.so",
    "libm.so",
    "libgcc_s.so",
    "libpthread.so",
    "libdl.so",
    "librt.so",
    "libutil.so",
    "ld-linux",
    "linux-vdso",
];

/// What was not seen, in words, each once.
#[derive(Debug, Default)]
pub struct Unseen {
    names: BTreeSet<String>,
    known: BTreeSet<PathBuf>,
}

impl Unseen {
    /// Looks at an object file that was loaded.
    pub fn look_at(&mut self, path: &Path, is_program: bool) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_of_system = OF_SYSTEM.iter().any(|system| name.starts_with(system));
        if is_of_system || !self.known.insert(path.to_owned()) {
            return;
        }
        // Programs are large, and only a little of each is read.
        let bytes = fs::File::open(path).ok().map(ReadCache::new);
        let file = bytes.as_ref().and_then(|bytes| object::File::parse(bytes).ok());
        if is_program || file.as_ref().is_some_and(has_checks) {
            self.names.extend(file.as_ref().map(named).unwrap_or_default());
        } else {
            self.names.insert(format!("`{name}`"));
        }
    }

    /// The names, in order.
    pub fn into_names(self) -> Vec<String> {
        self.names.into_iter().collect()
    }
}

/// Whether a shared library has something to tell the runtime.
fn has_checks<'a>(file: &object::File<'a, impl ReadRef<'a>>) -> bool {
    file.dynamic_symbols().any(|symbol| symbol.name().is_ok_and(symbols::is_callback))
}

/// What a file itself names.
fn named<'a>(file: &object::File<'a, impl ReadRef<'a>>) -> Vec<String> {
    let section = file.section_by_name(symbols::UNSEEN);
    let bytes = section.and_then(|section| section.data().ok()).unwrap_or_default();
    let names = bytes.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    names.map(|name| String::from_utf8_lossy(name).into_owned()).collect()
}
