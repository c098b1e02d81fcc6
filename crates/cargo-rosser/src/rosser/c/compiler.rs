//! The system's compiler, with a few more arguments.
//!
//! What is added depends on whether the call compiles, links, does both or only asks something, so that
//! `rosser cc` can stand wherever a build has `cc`. Gcc would link its own runtime for `-fsanitize=thread`: it
//! is made to find an empty library of that name. Clang can be told not to.

use std::ffi::OsString;
use std::path::Path;

use crate::c_compiler::{Added, CommandLine, Language, Prepared, RUNTIME_MEMBER, find};
use crate::error::{Error, Result};
use crate::message::Terminal;

use super::library::Library;

/// After the program's own objects and libraries.
const LIBRARY: &[&str] = &["-Wl,--whole-archive", "-lrosser_checked", "-Wl,--no-whole-archive"];
/// And what these need of the system.
const SYSTEM: &[&str] = &["-lpthread", "-ldl", "-lm"];

/// Becomes the compiler. Returns only if that is not possible.
pub fn compile(language: Language, arguments: &[OsString]) -> Error {
    prepare(language, arguments).unwrap_or_else(|error| error)
}

fn prepare(language: Language, arguments: &[OsString]) -> Result<Error> {
    let compiler = find(language, &[language.variable()])?;
    let line = CommandLine::new(arguments);
    // Questions are the compiler's to answer, and what is linked without the system is not for us.
    if !line.has_sources && !line.links() || line.is_incompatible {
        return Ok(compiler.become_it(arguments));
    }
    let prepared = Prepared::new(language, &compiler)?;
    if !prepared.can_check() {
        let name = compiler.program.display();
        return Err(Error::usage(format!(
            "`{name}` cannot compile with -fsanitize=thread, by which Rosser sees accesses; gcc and clang can, \
             and {} can name one\n{}",
            language.own_variable(),
            prepared.refused().trim()
        )));
    }
    let library = Library::prepare(Terminal::default())?;
    let mut library_of_ours = LIBRARY;
    if arguments.iter().any(|argument| brings_runtime(Path::new(argument))) {
        library_of_ours = &[];
    }
    let places = Places { headers: &library.headers(), libraries: &library.libraries() };
    let added = added(&line, &prepared, &places, library_of_ours);
    Ok(compiler.become_it(added.around(arguments)))
}

/// Whether a file is a static library in Rust that `cargo rosser` has built. There can be one runtime in a
/// program, and one standard library of Rust, so nothing of ours is linked then.
fn brings_runtime(file: &Path) -> bool {
    // As it stands in an archive.
    let member = format!("{:16}", format!("{RUNTIME_MEMBER}/"));
    let has_member = |bytes: Vec<u8>| bytes.windows(member.len()).any(|it| it == member.as_bytes());
    file.extension().is_some_and(|it| it == "a") && std::fs::read(file).is_ok_and(has_member)
}

/// Where what is added is.
struct Places<'a> {
    headers: &'a Path,
    libraries: &'a Path,
}

/// What the program's arguments are among.
fn added(line: &CommandLine, prepared: &Prepared, places: &Places, library: &[&str]) -> Added {
    let Places { headers, libraries } = places;
    let mut added = Added::checks(line, prepared, libraries);
    if line.has_sources {
        added.before.extend(["-I".into(), headers.as_os_str().to_owned()]);
    }
    if line.links() && line.is_shared {
        // A shared library finds everything in the program that loads it.
        if line.forbids_undefined {
            added.after.push("-Wl,-z,undefs".into());
        }
    } else if line.links() {
        added.after.extend(["-L".into(), libraries.as_os_str().to_owned()]);
        added.after.extend(library.iter().chain(SYSTEM).map(OsString::from));
        let mut exported = OsString::from("-Wl,--dynamic-list=");
        exported.push(libraries.join(Library::EXPORTED));
        added.after.push(exported);
    }
    added
}

#[cfg(test)]
mod tests {
    use super::{LIBRARY, Places, added};
    use crate::c_compiler::{CommandLine, Compiler, Prepared};
    use std::ffi::OsString;
    use std::path::Path;

    fn line(arguments: &str) -> String {
        let arguments: Vec<OsString> = arguments.split(' ').map(OsString::from).collect();
        let compiler = Compiler { program: "gcc".into(), arguments: Vec::new() };
        let prepared = Prepared::with_flags(compiler, vec!["-fsanitize=thread".into()]);
        let line = CommandLine::new(&arguments);
        let places = Places { headers: Path::new("/i"), libraries: Path::new("/l") };
        let added = added(&line, &prepared, &places, LIBRARY);
        added.around(&arguments).join(" ".as_ref()).into_string().unwrap()
    }

    #[test]
    fn libraries_come_after_the_programs_own_arguments() {
        assert_eq!(
            line("a.c -o a"),
            "-U__SANITIZE_THREAD__ -fsanitize=thread -L /l -I /i a.c -o a -fno-omit-frame-pointer -g \
             -L /l -Wl,--whole-archive -lrosser_checked -Wl,--no-whole-archive -lpthread -ldl -lm \
             -Wl,--dynamic-list=/l/exported"
        );
    }

    #[test]
    fn what_only_links_is_not_told_of_checks() {
        assert_eq!(
            line("a.o -o a"),
            "a.o -o a -L /l -Wl,--whole-archive -lrosser_checked -Wl,--no-whole-archive -lpthread \
             -ldl -lm -Wl,--dynamic-list=/l/exported"
        );
    }

    #[test]
    fn what_does_not_link_gets_no_libraries() {
        for flag in ["-c", "-E", "-shared", "-M", "-r", "-nostdlib"] {
            assert!(!line(&format!("{flag} a.c")).contains("-lrosser_checked"), "{flag}");
        }
    }

    #[test]
    fn shared_libraries_may_leave_callbacks_undefined() {
        assert_eq!(line("-shared -Wl,-z,defs a.o"), "-shared -Wl,-z,defs a.o -Wl,-z,undefs");
        assert_eq!(line("-shared a.o"), "-shared a.o");
    }
}
