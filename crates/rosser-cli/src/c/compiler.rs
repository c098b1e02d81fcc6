//! The system's compiler, with a few more arguments.
//!
//! What is added depends on whether the call compiles, links, does both or only asks something, so that
//! `rosser cc` can stand wherever a build has `cc`. Gcc would link its own runtime for `-fsanitize=thread`: it
//! is made to find an empty library of that name. Clang can be told not to.

use std::ffi::OsString;
use std::path::Path;

use cargo_rosser::c_compiler::{Added, CommandLine, Language, Prepared, find};
use cargo_rosser::error::{Error, Result};
use cargo_rosser::message::Terminal;

use super::library::Library;

/// After the program's own objects and libraries.
const LIBRARIES: &[&str] = &[
    "-Wl,--whole-archive",
    "-lrosser_checked",
    "-Wl,--no-whole-archive",
    "-lpthread",
    "-ldl",
    "-lm",
];

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
    let added = added(&line, &prepared, &library.headers(), &library.libraries());
    Ok(compiler.become_it(added.around(arguments)))
}

/// What the program's arguments are among.
fn added(line: &CommandLine, prepared: &Prepared, headers: &Path, libraries: &Path) -> Added {
    let mut added = Added::checks(line, prepared, libraries);
    if line.has_sources {
        added.before.extend(["-I".into(), headers.into()]);
    }
    if line.links() && line.is_shared {
        // A shared library finds everything in the program that loads it.
        if line.forbids_undefined {
            added.after.push("-Wl,-z,undefs".into());
        }
    } else if line.links() {
        added.after.extend(["-L".into(), libraries.into()]);
        added.after.extend(LIBRARIES.iter().map(OsString::from));
        let mut exported = OsString::from("-Wl,--dynamic-list=");
        exported.push(libraries.join(Library::EXPORTED));
        added.after.push(exported);
    }
    added
}

#[cfg(test)]
mod tests {
    use super::added;
    use cargo_rosser::c_compiler::{CommandLine, Compiler, Prepared};
    use std::ffi::OsString;
    use std::path::Path;

    fn line(arguments: &str) -> String {
        let arguments: Vec<OsString> = arguments.split(' ').map(OsString::from).collect();
        let compiler = Compiler { program: "gcc".into(), arguments: Vec::new() };
        let prepared = Prepared::with_flags(compiler, vec!["-fsanitize=thread".into()]);
        let line = CommandLine::new(&arguments);
        let added = added(&line, &prepared, Path::new("/i"), Path::new("/l"));
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
