//! The role of the linker: the program's own objects are checked, then the user's linker does the rest.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use crate::archive::{BITCODE, cannot_write};
use crate::arguments;
use crate::stage::Stage;

/// Links a program or a library; the arguments are those that the compiler would have called the linker with.
pub fn link(
    stage: &Stage,
    linker: &OsString,
    arguments: Vec<OsString>,
) -> Result<ExitStatus, String> {
    let arguments = arguments::expand(arguments).map_err(|error| error.to_string())?;
    let mut directory = arguments::output(&arguments).into_os_string();
    directory.push(".rosser-link");
    let directory = PathBuf::from(directory);
    fs::create_dir_all(&directory).map_err(|error| cannot_write(&directory, &error))?;
    let result = link_in(stage, linker, arguments, &directory);
    let _ = fs::remove_dir_all(directory);
    result
}

fn link_in(
    stage: &Stage,
    linker: &OsString,
    mut arguments: Vec<OsString>,
    directory: &Path,
) -> Result<ExitStatus, String> {
    arguments.retain(|argument| !arguments::is_for_bitcode(argument));
    for (number, argument) in arguments.iter_mut().enumerate() {
        if !arguments::is_object(argument) {
            continue;
        }
        // What cannot be read is for the linker to complain of.
        let Ok(bytes) = fs::read(&*argument) else { continue };
        if bytes.starts_with(BITCODE) {
            let path = directory.join(format!("{number}.o"));
            fs::write(&path, stage.check(&bytes)?).map_err(|error| cannot_write(&path, &error))?;
            *argument = path.into();
        }
    }
    let file = directory.join("arguments");
    fs::write(&file, arguments::join(&arguments)).map_err(|error| cannot_write(&file, &error))?;
    let mut argument = OsString::from("@");
    argument.push(&file);
    let run = Command::new(linker).arg(argument).status();
    run.map_err(|error: io::Error| format!("cannot run the linker `{}`: {error}", linker.display()))
}
