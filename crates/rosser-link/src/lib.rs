//! The linker of checked programs.
//!
//! The compiler leaves bitcode behind, with a call before every access, and calls this in place of the
//! linker. Here checks are taken out of loops (`checks`); then the compiler's own linker, `rust-lld`, makes
//! one module of all bitcode, the runtime's included, and optimises it: the checks that are left are inlined,
//! and loops that are free of them are vectorised.

mod arguments;
mod checks;
mod inputs;
mod llvm;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use inputs::Inputs;

/// What it works with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tools {
    /// The compiler's LLVM.
    pub llvm: PathBuf,
    /// The directory where the C compiler finds the compiler's linker as `ld.lld`.
    pub lld: PathBuf,
    /// The C compiler, or whatever else the user links with.
    pub linker: OsString,
}

/// Whether a library is an LLVM that has all that is needed.
pub fn can_use(llvm: &Path) -> bool {
    llvm::load(llvm).is_ok()
}

/// Links a program; the arguments are those that the compiler would have called the linker with.
pub fn link(tools: &Tools, arguments: Vec<OsString>) -> Result<ExitStatus, String> {
    let arguments = arguments::expand(arguments).map_err(|error| error.to_string())?;
    llvm::load(&tools.llvm)
        .map_err(|error| format!("cannot load {}: {error}", tools.llvm.display()))?;
    let mut directory = arguments::output(&arguments).into_os_string();
    directory.push(".rosser-link");
    let directory = PathBuf::from(directory);
    fs::create_dir_all(&directory).map_err(|error| inputs::cannot_write(&directory, &error))?;
    let result = link_in(tools, &arguments, Inputs::new(directory.clone()));
    let _ = fs::remove_dir_all(directory);
    result
}

fn link_in(
    tools: &Tools,
    arguments: &[OsString],
    mut inputs: Inputs,
) -> Result<ExitStatus, String> {
    let mut changed = Vec::with_capacity(arguments.len());
    for argument in arguments {
        if arguments::is_input(argument) {
            changed.extend(inputs.prepare(argument.as_ref())?);
        } else {
            changed.push(argument.clone());
        }
    }
    let mut search = OsString::from("-B");
    search.push(&tools.lld);
    changed.extend([search, "-fuse-ld=lld".into(), "-Wl,--lto-O3".into()]);
    let file = inputs.directory.join("arguments");
    fs::write(&file, arguments::join(&changed))
        .map_err(|error| inputs::cannot_write(&file, &error))?;
    let mut argument = OsString::from("@");
    argument.push(&file);
    let run = Command::new(&tools.linker).arg(argument).status();
    run.map_err(|error: io::Error| {
        format!("cannot run the linker `{}`: {error}", tools.linker.display())
    })
}
