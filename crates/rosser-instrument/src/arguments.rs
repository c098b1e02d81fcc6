//! The linker's command line, as the compiler writes it.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// Arguments in place of which a file is named, because they are many, are read from there.
pub fn expand(arguments: Vec<OsString>) -> io::Result<Vec<OsString>> {
    let mut expanded = Vec::with_capacity(arguments.len());
    for argument in arguments {
        match argument.as_bytes().strip_prefix(b"@") {
            Some(path) => expanded.extend(split(&fs::read(OsStr::from_bytes(path))?)),
            None => expanded.push(argument),
        }
    }
    Ok(expanded)
}

/// The words of a file of arguments: a backslash protects the next byte, quotes all between them.
fn split(text: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => word.get_or_insert_default().extend(bytes.next()),
            _ if Some(byte) == quote => quote = None,
            _ if quote.is_some() => word.get_or_insert_default().push(byte),
            b'"' | b'\'' => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            _ if byte.is_ascii_whitespace() => words.extend(word.take().map(OsString::from_vec)),
            _ => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word.map(OsString::from_vec));
    words
}

/// The same as the text of such a file, one a line.
pub fn join(arguments: &[OsString]) -> Vec<u8> {
    let mut text = Vec::new();
    for argument in arguments {
        for &byte in argument.as_bytes() {
            if byte.is_ascii_whitespace() || matches!(byte, b'\\' | b'"' | b'\'') {
                text.push(b'\\');
            }
            text.push(byte);
        }
        text.push(b'\n');
    }
    text
}

/// Where the program goes.
pub fn output(arguments: &[OsString]) -> PathBuf {
    let named = arguments.iter().position(|argument| argument == "-o");
    let path = named.and_then(|at| arguments.get(at + 1));
    path.map_or_else(|| PathBuf::from("a.out"), PathBuf::from)
}

/// What a linker makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An executable.
    Program,
    /// A library that programs load: a plug-in, or one that they are linked with.
    Shared,
    /// Something that will be linked once more.
    Partial,
}

/// What these arguments ask for.
pub fn kind(arguments: &[OsString]) -> Kind {
    let has = |option: &str| arguments.iter().any(|argument| argument == option);
    if has("-shared") {
        Kind::Shared
    } else if has("-r") {
        Kind::Partial
    } else {
        Kind::Program
    }
}

/// The file that says which symbols a shared library has for others, and its argument.
pub fn version_script(arguments: &mut [OsString]) -> Option<(&mut OsString, PathBuf)> {
    arguments.iter_mut().find_map(|argument| {
        let bytes = argument.as_bytes().strip_prefix(VERSION_SCRIPT.as_bytes())?;
        let path = PathBuf::from(OsStr::from_bytes(bytes));
        Some((argument, path))
    })
}

/// What the argument begins with that names that file.
pub const VERSION_SCRIPT: &str = "-Wl,--version-script=";

/// Whether the argument is an object file.
pub fn is_object(argument: &OsStr) -> bool {
    let is_option = argument.as_bytes().starts_with(b"-");
    !is_option && Path::new(argument).extension().is_some_and(|it| it == "o")
}

/// Whether the argument is an object file or a library of such, all of which becomes part of what is linked.
pub fn is_code(argument: &OsStr) -> bool {
    let is_library = Path::new(argument).extension().is_some_and(|it| it == "rlib" || it == "a");
    is_object(argument) || is_library && !argument.as_bytes().starts_with(b"-")
}

/// The directories that libraries are looked for in, besides those of the system.
pub fn directories(arguments: &[OsString]) -> Vec<PathBuf> {
    let after = arguments.windows(2).filter(|pair| pair[0] == "-L").map(|pair| &*pair[1]);
    let joined = arguments.iter().filter_map(|argument| {
        let bytes = argument.as_bytes().strip_prefix(b"-L")?;
        (!bytes.is_empty()).then(|| OsStr::from_bytes(bytes))
    });
    after.chain(joined).map(PathBuf::from).collect()
}

/// Whether the argument tells the linker what to do with bitcode, of which there will be none.
pub fn is_for_bitcode(argument: &OsStr) -> bool {
    let bytes = argument.as_bytes();
    bytes.starts_with(b"-Wl,-plugin-opt") || bytes.starts_with(b"-plugin-opt")
}

#[cfg(test)]
mod tests {
    use super::{join, split};

    #[test]
    fn files_of_arguments_are_read_as_they_are_written() {
        let arguments = ["-o", "a b", r"c\d", r#"it's "quoted""#].map(Into::into);
        assert_eq!(split(&join(&arguments)), arguments);
        assert_eq!(split(b"'a b' \"c\"d\n  e"), ["a b", "cd", "e"]);
    }
}
