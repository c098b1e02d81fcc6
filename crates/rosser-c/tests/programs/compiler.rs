//! The library, the compilers, and how they are called.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    C,
    Cpp,
}

impl Language {
    pub fn of(source: &Path) -> Self {
        match source.extension().and_then(|extension| extension.to_str()) {
            Some("c") => Self::C,
            Some("cpp") => Self::Cpp,
            _ => panic!("{}: neither C nor C++", source.display()),
        }
    }

    pub fn extension(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Cpp => "cpp",
        }
    }

    /// The compiler, if there is one.
    fn compiler(self) -> Option<&'static str> {
        static C: OnceLock<Option<String>> = OnceLock::new();
        static CPP: OnceLock<Option<String>> = OnceLock::new();
        let (cell, variable, default) = match self {
            Self::C => (&C, "CC", "cc"),
            Self::Cpp => (&CPP, "CXX", "c++"),
        };
        let compiler = cell.get_or_init(|| {
            let name = env::var(variable).unwrap_or_else(|_| default.to_owned());
            let mut version = Command::new(&name);
            version.arg("--version").stdin(Stdio::null()).stdout(Stdio::null());
            if version.status().is_ok_and(|status| status.success()) {
                return Some(name);
            }
            assert!(self != Self::C, "there is no C compiler `{name}`: name one in CC");
            eprintln!("NOT TESTED: there is no C++ compiler `{name}`; CXX can name one");
            None
        });
        compiler.as_deref()
    }

    fn flags(self) -> &'static [&'static str] {
        match self {
            Self::C => &["-std=c11", "-D_POSIX_C_SOURCE=200809L"],
            Self::Cpp => &["-std=c++17"],
        }
    }
}

/// Where the programs go.
pub fn output() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

/// Compiles a program. Nothing if there is no compiler for it.
pub fn compile(source: &Path, language: Language) -> Option<PathBuf> {
    let compiler = language.compiler()?;
    let directory = source.parent().and_then(Path::file_name).expect("it is in a directory");
    let mut name = directory.to_owned();
    name.push("-");
    name.push(source.file_name().expect("it has a name"));
    let binary = output().join(name).with_extension(format!("{}.out", language.extension()));
    let run = Command::new(compiler)
        .args(language.flags())
        .args(["-O1", "-g", "-Wall", "-Wextra", "-Wno-unused-parameter", "-pedantic", "-Werror"])
        .arg("-I")
        .arg(super::package().join("include"))
        .arg(source)
        .arg("-o")
        .arg(&binary)
        .arg(library())
        .args(system_libraries())
        .output()
        .expect("the compiler can be called");
    let says = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{} does not compile:\n{says}", source.display());
    Some(binary)
}

/// The static library, as `cargo build` makes it.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        // The directory for test outputs is in the target directory.
        let target = output().parent().expect("it is in the target directory").to_owned();
        let run = Command::new(env!("CARGO"))
            .args(["build", "--lib", "--profile", "test"])
            .arg("--message-format=json-render-diagnostics")
            .arg("--manifest-path")
            .arg(super::package().join("Cargo.toml"))
            .arg("--target-dir")
            .arg(target)
            .stderr(Stdio::inherit())
            .output()
            .expect("cargo can be called");
        assert!(run.status.success(), "the library cannot be built");
        let messages = String::from_utf8(run.stdout).expect("cargo writes JSON");
        let mut strings = messages.split('"');
        let path = strings.find(|string| string.ends_with("librosser_c.a"));
        PathBuf::from(path.expect("cargo says where the library is"))
    })
}

/// What the library needs: see `rustc --print native-static-libs`.
fn system_libraries() -> &'static [&'static str] {
    if cfg!(target_os = "linux") { &["-lpthread", "-ldl", "-lm"] } else { &[] }
}
