//! What a call of a C compiler is for: whether it compiles something, whether it links.
//!
//! Compilers take everything in any order and guess much by the names of files. What is found out here
//! is no more than what has to be known to add flags without changing what the call means.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;

/// Options whose value is the next argument. Without the knowledge it would be taken for a file.
const WITH_VALUE: &[&str] = &[
    "-o",
    "-x",
    "-I",
    "-L",
    "-D",
    "-U",
    "-B",
    "-A",
    "-T",
    "-u",
    "-z",
    "-e",
    "-l",
    "-h",
    "-G",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-include",
    "-include-pch",
    "-imacros",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-iquote",
    "-isystem",
    "-idirafter",
    "-isysroot",
    "-imultilib",
    "-imultiarch",
    "-iframework",
    "-framework",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xclang",
    "-mllvm",
    "-target",
    "-arch",
    "-aux-info",
    "-dumpbase",
    "-dumpbase-ext",
    "-dumpdir",
    "-wrapper",
    "-specs",
    "-soname",
    "-rpath",
    "--param",
    "--sysroot",
    "--serialize-diagnostics",
    "-gcc-toolchain",
];

/// The kinds of files, by what their names end with, that have accesses to be checked.
const SOURCES: &[&str] = &[
    "c", "i", "ii", "m", "mi", "mm", "M", "mii", "cc", "cp", "cxx", "cpp", "CPP", "c++", "C", "h",
    "hh", "H", "hp", "hxx", "hpp", "HPP", "h++", "tcc",
];
/// And those that are assembler's.
const ASSEMBLER: &[&str] = &["s", "S", "sx"];

/// How deep files of arguments may name other files of arguments.
const NESTING: usize = 8;

/// What a call is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "any of them goes with any other")]
pub struct CommandLine {
    /// Sources in C, C++ and the like are compiled or preprocessed.
    pub has_sources: bool,
    /// Any file is named, or standard input.
    pub has_inputs: bool,
    /// It ends before something is compiled: `-E`, `-M`, `-fsyntax-only`.
    pub only_reads: bool,
    /// It ends before something is linked.
    pub stops_early: bool,
    /// What is linked is a shared library.
    pub is_shared: bool,
    /// What is linked is linked once more later, or has nothing of the system in it.
    pub is_partial: bool,
    /// Symbols that nobody defines are errors in shared libraries, too.
    pub forbids_undefined: bool,
    /// There are line numbers.
    pub has_lines: bool,
    /// It is for another kind of machine, or has a sanitizer that does not go together with this one.
    pub is_incompatible: bool,
}

impl CommandLine {
    /// Looks at arguments, and at those in files that they name.
    pub fn new(arguments: &[OsString]) -> Self {
        let mut all = Vec::new();
        expand(arguments, NESTING, &mut all);
        let mut found = Self::default();
        let mut language: Option<OsString> = None;
        let mut arguments = all.iter();
        while let Some(argument) = arguments.next() {
            let Some(text) = argument.to_str() else {
                found.input(argument, language.as_deref());
                continue;
            };
            if WITH_VALUE.contains(&text) {
                let value = arguments.next();
                match text {
                    "-x" => language = value.filter(|it| *it != "none").cloned(),
                    "-target" => found.target(value.and_then(|it| it.to_str()).unwrap_or_default()),
                    "-z" | "-Xlinker" => {
                        let value = value.and_then(|it| it.to_str());
                        found.forbids_undefined |= matches!(value, Some("defs" | "--no-undefined"));
                    }
                    _ => {}
                }
            } else if let Some(name) = text.strip_prefix("-x") {
                language = Some(name).filter(|name| *name != "none").map(OsString::from);
            } else if text.starts_with('-') && text != "-" {
                found.option(text);
            } else {
                found.input(argument, language.as_deref());
            }
        }
        found
    }

    /// Whether something is compiled that can have checks.
    pub fn compiles(&self) -> bool {
        self.has_sources && !self.only_reads
    }

    /// Whether something is linked that can be run or loaded.
    pub fn links(&self) -> bool {
        self.has_inputs && !self.stops_early && !self.is_partial
    }

    fn option(&mut self, text: &str) {
        match text {
            "-E" | "-M" | "-MM" | "-fsyntax-only" => {
                self.only_reads = true;
                self.stops_early = true;
            }
            "-c" | "-S" | "-emit-ast" => self.stops_early = true,
            "-shared" | "--shared" => self.is_shared = true,
            "-r" | "-nostdlib" => self.is_partial = true,
            "-m32" | "-m16" | "-mx32" => self.is_incompatible = true,
            "-Wl,-z,defs" | "-Wl,-zdefs" | "-Wl,--no-undefined" | "-zdefs" => {
                self.forbids_undefined = true;
            }
            "-g0" => self.has_lines = false,
            _ if ["-gcc", "-gz", "-gno-", "-grecord"].iter().any(|it| text.starts_with(it)) => {}
            _ if text.starts_with("-g") => self.has_lines = true,
            _ => {
                if let Some(target) = text.strip_prefix("--target=") {
                    self.target(target);
                }
                if let Some(sanitizers) = text.strip_prefix("-fsanitize=") {
                    self.is_incompatible |=
                        sanitizers.contains("address") || sanitizers.contains("memory");
                }
            }
        }
    }

    fn target(&mut self, target: &str) {
        self.is_incompatible |= !(target.starts_with("x86_64") && target.contains("linux"));
    }

    fn input(&mut self, argument: &OsStr, language: Option<&OsStr>) {
        self.has_inputs = true;
        let extension = Path::new(argument).extension().and_then(OsStr::to_str).unwrap_or_default();
        self.has_sources |= match language {
            Some(language) => !language.to_string_lossy().starts_with("assembler"),
            None => !ASSEMBLER.contains(&extension) && SOURCES.contains(&extension),
        };
    }
}

/// Arguments, with files of arguments (`@file`) replaced by what is in them. A file that is not there is an
/// argument like any other.
fn expand(arguments: &[OsString], nesting: usize, all: &mut Vec<OsString>) {
    for argument in arguments {
        let file = argument.to_str().and_then(|text| text.strip_prefix('@'));
        match file.filter(|_| nesting > 0).and_then(|file| fs::read_to_string(file).ok()) {
            Some(text) => expand(&words(&text), nesting - 1, all),
            None => all.push(argument.clone()),
        }
    }
}

/// Words as compilers separate them: by white space, unless it is quoted or escaped.
fn words(text: &str) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (_, '\\') => word.get_or_insert_default().extend(characters.next()),
            (Some(open), _) if open == character => quote = None,
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, _) if character.is_whitespace() => words.extend(word.take().map(OsString::from)),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word.map(OsString::from));
    words
}

#[cfg(test)]
mod tests {
    use super::{CommandLine, words};
    use std::ffi::OsString;

    fn of(line: &str) -> CommandLine {
        let arguments: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        CommandLine::new(&arguments)
    }

    /// Whether it compiles, and whether it links.
    fn does(line: &str) -> (bool, bool) {
        (of(line).compiles(), of(line).links())
    }

    #[test]
    fn compiling_and_linking_are_told_apart() {
        assert_eq!(does("a.c -o a"), (true, true));
        assert_eq!(does("-c a.c b.cpp"), (true, false));
        assert_eq!(does("-S a.c"), (true, false));
        assert_eq!(does("a.o liba.a -o a"), (false, true));
        assert_eq!(does("-r a.o b.o -o c.o"), (false, false));
        assert_eq!(does("-x c - -o a"), (true, true));
        assert_eq!(does("-xc++ -c -"), (true, false));
        assert_eq!(does("-x c a.txt -x none b.o"), (true, true));
        assert!(of("-shared a.o -o a.so").is_shared);
    }

    #[test]
    fn questions_are_neither() {
        for line in ["-v", "--version", "-print-file-name=libc.a", "-dumpmachine", "-E a.c"] {
            assert_eq!(does(line), (false, false), "{line}");
        }
        assert_eq!(does("-E -dM -x c /dev/null"), (false, false));
        assert_eq!(does("-M a.c"), (false, false));
        // Dependencies on the side.
        assert_eq!(does("-MMD -MF a.d -c a.c"), (true, false));
    }

    #[test]
    fn assembler_is_not_compiled() {
        for line in ["-c a.S", "-c a.s", "-x assembler-with-cpp -c a.c"] {
            assert_eq!(does(line), (false, false), "{line}");
        }
        assert_eq!(does("-c a.S b.c"), (true, false));
    }

    #[test]
    fn values_are_no_files() {
        for line in ["-o a.c", "-I b.c -v", "-include c.h", "-MF d.c", "-Xlinker e.c"] {
            assert!(!of(line).has_inputs, "{line}");
        }
    }

    #[test]
    fn line_numbers_can_be_turned_off_again() {
        assert!(of("-g -c a.c").has_lines);
        assert!(of("-ggdb3 -c a.c").has_lines);
        assert!(!of("-g -g0 -c a.c").has_lines);
        assert!(!of("-c a.c").has_lines);
    }

    #[test]
    fn other_machines_and_sanitizers_are_known() {
        for line in
            ["-m32 -c a.c", "--target=wasm32 -c a.c", "-target bpf a.c", "-fsanitize=address a.c"]
        {
            assert!(of(line).is_incompatible, "{line}");
        }
        assert!(!of("--target=x86_64-unknown-linux-gnu -m64 -c a.c").is_incompatible);
    }

    #[test]
    fn files_of_arguments_are_read() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("arguments");
        std::fs::write(&file, "-c \"a b.c\"\n-o x.o").unwrap();
        let mut argument = OsString::from("@");
        argument.push(&file);
        let line = CommandLine::new(&[argument]);
        assert_eq!((line.compiles(), line.links()), (true, false));
    }

    #[test]
    fn words_are_quoted_or_escaped() {
        assert_eq!(words("a 'b c'  \"d \\\"e\" f\\ g \"\""), ["a", "b c", "d \"e", "f g", ""]);
    }
}
