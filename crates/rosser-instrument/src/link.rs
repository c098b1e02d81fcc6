//! The role of the linker: the program's own objects are checked, then the user's linker does the rest.
//!
//! The compiler knows nothing of the runtime. It is linked into programs here, and programs have its symbols for
//! the libraries that they load. So there is one runtime in a process, and one history of every word. A shared
//! library has callbacks of its own that do nothing: if the program that loads it is not checked, these are called.

use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use crate::archive::{BITCODE, cannot_write};
use crate::arguments::{self, Kind};
use crate::foreign::{self, Exceptions};
use crate::stage::Stage;
use crate::{standard_library, twins};

/// In the names that a shared library exports if it is for programs in Rust, which take the standard library from
/// there: what is not seen of it, too.
const OF_RUST: &str = "rust_metadata_";

/// What programs and shared libraries are linked with.
#[derive(Clone, Debug)]
pub struct Linked {
    /// The library that the runtime is in.
    pub runtime: PathBuf,
    /// The names of all that checked code refers to, with `*` for any characters.
    pub names: Vec<String>,
    /// The source, in C, of what shared libraries have in place of the runtime.
    pub idle: String,
    /// What is known to have no checks, or none that matter.
    pub except: Exceptions,
}

impl Linked {
    /// The names as a linker reads them.
    fn list(&self) -> String {
        self.names.iter().fold(String::new(), |mut list, name| {
            let _ = write!(list, " {name};");
            list
        })
    }
}

/// Links a program or a library; the arguments are those that the compiler would have called the linker with.
pub fn link(
    stage: &Stage,
    with: &Linked,
    linker: &OsString,
    arguments: Vec<OsString>,
) -> Result<ExitStatus, String> {
    let arguments = arguments::expand(arguments).map_err(|error| error.to_string())?;
    let mut directory = arguments::output(&arguments).into_os_string();
    directory.push(".rosser-link");
    let directory = PathBuf::from(directory);
    fs::create_dir_all(&directory).map_err(|error| cannot_write(&directory, &error))?;
    let work = Work { stage, with, linker, directory: &directory };
    let result = work.link(arguments);
    let _ = fs::remove_dir_all(&directory);
    result
}

/// One call of the linker.
struct Work<'a> {
    stage: &'a Stage,
    with: &'a Linked,
    linker: &'a OsString,
    /// Where files can be put that the linker is to read.
    directory: &'a Path,
}

impl Work<'_> {
    fn link(&self, mut arguments: Vec<OsString>) -> Result<ExitStatus, String> {
        arguments.retain(|argument| !arguments::is_for_bitcode(argument));
        let unseen = foreign::unseen(&arguments, &self.with.except);
        self.check_objects(&mut arguments)?;
        if !unseen.is_empty() {
            arguments.push(self.compile("unseen", "s", &foreign::as_assembly(&unseen))?.into());
        }
        match arguments::kind(&arguments) {
            Kind::Program => self.add_runtime(&mut arguments)?,
            Kind::Shared => self.add_idle_callbacks(&mut arguments)?,
            Kind::Partial => {}
        }
        let mut file = OsString::from("@");
        file.push(self.write("arguments", &arguments::join(&arguments))?);
        let run = Command::new(self.linker).arg(file).status();
        run.map_err(|error| self.cannot_run(&error))
    }

    /// Puts machine code in place of bitcode.
    fn check_objects(&self, arguments: &mut [OsString]) -> Result<(), String> {
        for (number, argument) in arguments.iter_mut().enumerate() {
            if !arguments::is_object(argument) {
                continue;
            }
            // What cannot be read is for the linker to complain of.
            let Ok(bytes) = fs::read(&*argument) else { continue };
            if bytes.starts_with(BITCODE) {
                let code = self.stage.check(&bytes)?;
                *argument = self.write(&format!("{number}.o"), &code)?.into();
            }
        }
        Ok(())
    }

    /// All of the runtime, even where a library has idle callbacks; the program has its symbols for libraries.
    fn add_runtime(&self, arguments: &mut Vec<OsString>) -> Result<(), String> {
        let list = self.write("exported", format!("{{{} }};\n", self.with.list()).as_bytes())?;
        let mut exported = OsString::from("-Wl,--dynamic-list=");
        exported.push(list);
        let runtime = self.with.runtime.clone().into();
        let whole = ["-Wl,--whole-archive".into(), runtime, "-Wl,--no-whole-archive".into()];
        arguments.splice(0..0, whole.into_iter().chain([exported]));
        Ok(())
    }

    /// Callbacks that do nothing. In a program that has the runtime, the loader finds the program's first.
    fn add_idle_callbacks(&self, arguments: &mut Vec<OsString>) -> Result<(), String> {
        if let Some((argument, path)) = arguments::version_script(arguments) {
            let script = fs::read_to_string(&path)
                .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
            let mut list = self.with.list();
            let exports_std = script.contains(OF_RUST) && self.stage.twins.is_some();
            if exports_std {
                let _ = write!(list, " *{};", twins::SUFFIX);
            }
            let script = self.write("exported", with_globals(&script, &list).as_bytes())?;
            *argument = arguments::VERSION_SCRIPT.into();
            argument.push(script);
            if exports_std {
                take_all_of_std(arguments);
            }
        }
        arguments.push(self.compile("idle", "c", &self.with.idle)?.into());
        // Some calls keep more registers than a function that looks symbols up on the way would; and places in
        // the code keep their meaning as long as it is loaded.
        arguments.push("-Wl,-z,now,-z,nodelete".into());
        Ok(())
    }

    /// Programs are linked by a C compiler, which can compile, too.
    fn compile(&self, name: &str, extension: &str, source: &str) -> Result<PathBuf, String> {
        let source = self.write(&format!("{name}.{extension}"), source.as_bytes())?;
        let object = self.directory.join(format!("{name}.o"));
        let mut command = Command::new(self.linker);
        command.args(["-O1", "-fPIC", "-fno-lto", "-w", "-c"]).arg(source).arg("-o").arg(&object);
        let output = command.output().map_err(|error| self.cannot_run(&error))?;
        if output.status.success() {
            return Ok(object);
        }
        Err(format!(
            "`{}` cannot compile what has to be linked: {}",
            self.linker.display(),
            String::from_utf8_lossy(&output.stderr)
        ))
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, String> {
        let path = self.directory.join(name);
        fs::write(&path, bytes).map_err(|error| cannot_write(&path, &error))?;
        Ok(path)
    }

    fn cannot_run(&self, error: &io::Error) -> String {
        format!("cannot run the linker `{}`: {error}", self.linker.display())
    }
}

/// Has the linker take all of the standard library that is seen: also what only programs will refer to.
fn take_all_of_std(arguments: &mut Vec<OsString>) {
    let (before, after) = ("-Wl,--whole-archive".into(), "-Wl,--no-whole-archive".into());
    *arguments = mem::take(arguments)
        .into_iter()
        .flat_map(|argument| match standard_library::which(Path::new(&argument)) {
            Some(_) => vec![OsString::clone(&before), argument, OsString::clone(&after)],
            None => vec![argument],
        })
        .collect();
}

/// A version script with more symbols that others can have.
fn with_globals(script: &str, list: &str) -> String {
    match script.split_once("global:") {
        Some((before, after)) => format!("{before}global:{list}{after}"),
        None => script.replacen('{', &format!("{{ global:{list}"), 1),
    }
}

#[cfg(test)]
mod tests {
    use super::with_globals;

    #[test]
    fn symbols_are_added_to_those_that_others_can_have() {
        assert_eq!(
            with_globals("{ global: mine; local: *; };", " a; b_*;"),
            "{ global: a; b_*; mine; local: *; };"
        );
        assert_eq!(with_globals("{ local: *; };", " a;"), "{ global: a; local: *; };");
    }
}
