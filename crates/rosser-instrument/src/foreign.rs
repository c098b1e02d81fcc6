//! What is linked into a program although nobody has put checks into it.
//!
//! It is named in a section of what is linked, for the report: a verdict says what it does not cover. What is loaded
//! at run time is not known here; the report looks at that itself.
//!
//! Code of C compilers has checks if it calls any: the compilers of build scripts are told to have every object do
//! so. Assembler never does.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection, ObjectSymbol, SectionKind};
use rosser_abi::names::symbols;

use crate::arguments;

/// What a compiler's own libraries are below.
const COMPILERS_OWN: &str = "/lib/rustlib/";
/// What the names of objects end with that the Rust compiler has made.
const OF_RUST: &str = ".rcgu.o";
/// How many objects of a library are named.
const NAMED: usize = 3;

/// Crates of which it is known.
#[derive(Clone, Debug, Default)]
pub struct Exceptions {
    /// Those that the user has left without checks.
    pub unchecked: Vec<String>,
    /// Those whose inside nobody asks for: allocators.
    pub ignored: Vec<String>,
}

/// What among these arguments of a linker has no checks, in words.
pub fn unseen(arguments: &[OsString], except: &Exceptions) -> Vec<String> {
    let mut unseen = Vec::new();
    for path in files(arguments) {
        if path.to_string_lossy().contains(COMPILERS_OWN) {
            continue;
        }
        let name = crate_name(&path);
        if except.ignored.contains(&name) {
            continue;
        }
        if except.unchecked.contains(&name) {
            unseen.push(format!("the crate `{name}`"));
        }
        let objects = objects_without_checks(&path);
        if !objects.is_empty() {
            unseen.push(described(&path, &name, &objects));
        }
    }
    unseen.sort();
    unseen.dedup();
    unseen
}

/// As text of an assembler.
pub fn as_assembly(unseen: &[String]) -> String {
    use std::fmt::Write;
    let section = symbols::UNSEEN;
    // The linker keeps one of several equal names.
    let mut text = format!(".pushsection {section},\"MS\",@progbits,1\n");
    for name in unseen {
        let name = name.replace(['\\', '"', '\n'], "?");
        let _ = writeln!(text, ".asciz \"{name}\"");
    }
    text.push_str(".popsection\n");
    text
}

/// Objects and libraries whose code becomes part of what is linked.
fn files(arguments: &[OsString]) -> Vec<PathBuf> {
    let directories = arguments::directories(arguments);
    let mut files = Vec::new();
    for argument in arguments {
        if let Some(name) = argument.as_bytes().strip_prefix(b"-l") {
            let file = |kind| format!("lib{}.{kind}", String::from_utf8_lossy(name));
            let find =
                |kind| directories.iter().map(|it| it.join(file(kind))).find(|it| it.is_file());
            // One that is shared is there at run time.
            files.extend(find("a").filter(|_| find("so").is_none()));
        } else if arguments::is_code(argument) {
            files.push(argument.into());
        }
    }
    files
}

/// The crate that a file belongs to: of a library `libname-1f.rlib`, of objects `name.1f-cgu.0.rcgu.o`.
fn crate_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_library = path.extension().is_some_and(|it| it == "rlib" || it == "a");
    let name = if is_library { name.strip_prefix("lib").unwrap_or(&name) } else { &name };
    name.split(['-', '.']).next().unwrap_or_default().to_owned()
}

/// The names of object files, in a file or of it, that have code and call no callback.
fn objects_without_checks(path: &Path) -> Vec<String> {
    let Ok(bytes) = fs::read(path) else { return Vec::new() };
    let Ok(archive) = ArchiveFile::parse(&*bytes) else {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        return if is_without_checks(&name, &bytes) { vec![shown(&name)] } else { Vec::new() };
    };
    let members = archive.members().filter_map(|member| {
        let member = member.ok()?;
        let name = String::from_utf8_lossy(member.name()).into_owned();
        is_without_checks(&name, member.data(&*bytes).ok()?).then(|| shown(&name))
    });
    members.collect()
}

fn is_without_checks(name: &str, bytes: &[u8]) -> bool {
    let Ok(file) = object::File::parse(bytes) else { return false };
    let is_code = |it: &object::Section| it.kind() == SectionKind::Text && it.size() > 0;
    !name.ends_with(OF_RUST)
        && file.sections().any(|section| is_code(&section))
        && !file.symbols().any(|symbol| symbol.name().is_ok_and(symbols::is_callback))
}

/// An object's name, without what the crate `cc` puts before it.
fn shown(name: &str) -> String {
    match name.split_once('-') {
        Some((hash, rest)) if hash.len() == 16 && hash.bytes().all(|it| it.is_ascii_hexdigit()) => {
            rest.to_owned()
        }
        _ => name.to_owned(),
    }
}

fn described(path: &Path, crate_name: &str, objects: &[String]) -> String {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let whole = match path.extension().and_then(|it| it.to_str()) {
        Some("rlib") => format!("the crate `{crate_name}`"),
        Some("a") => format!("`{file}`"),
        _ => return format!("`{file}`"),
    };
    let objects: BTreeSet<&String> = objects.iter().collect();
    let mut named: Vec<String> = objects.iter().map(|name| format!("`{name}`")).collect();
    if named.len() > NAMED {
        let rest = named.len() - NAMED;
        named.truncate(NAMED);
        named.push(format!("{rest} more"));
    }
    format!("{} in {whole}", named.join(", "))
}

#[cfg(test)]
mod tests {
    use super::{crate_name, described, shown};
    use std::path::Path;

    #[test]
    fn files_tell_which_crate_they_are_of() {
        assert_eq!(crate_name(Path::new("/deps/libring-0123456789abcdef.rlib")), "ring");
        assert_eq!(crate_name(Path::new("/deps/app-1f.app.2e-cgu.0.rcgu.o")), "app");
        assert_eq!(crate_name(Path::new("/out/libz.a")), "z");
    }

    #[test]
    fn few_objects_are_named() {
        let objects =
            |names: &[&str]| -> Vec<String> { names.iter().map(|it| shown(it)).collect() };
        let one = objects(&["0123456789abcdef-one.o"]);
        assert_eq!(described(Path::new("libx-1.rlib"), "x", &one), "`one.o` in the crate `x`");
        let five = objects(&["a.o", "b.o", "c.o", "d.o", "e.o"]);
        let text = described(Path::new("/lib/libz.a"), "z", &five);
        assert_eq!(text, "`a.o`, `b.o`, `c.o`, 2 more in `libz.a`");
    }
}
