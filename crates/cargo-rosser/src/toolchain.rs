//! The compiler: which one cargo will use, and whether Rosser can work with it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo_config::CargoConfig;
use crate::error::{Error, Result};

/// The only platform so far: the shadow mapping and the layout of stacks depend on it.
pub const HOST: &str = "x86_64-unknown-linux-gnu";
/// Where a compiler has the libraries of programs, seen from where it is installed.
pub const LIBRARIES: &str = "lib/rustlib/x86_64-unknown-linux-gnu/lib";
/// The first minor version of rustc 1 that has all flags.
const OLDEST: u32 = 88;
/// What to say to those who have something else.
pub const WORKS_WITH: &str = "Rosser works with rustc 1.88 and later on x86_64-unknown-linux-gnu";

/// How to get that, if a distribution has only older ones.
const WHERE_FROM: &str =
    "`rustup update stable` installs one (https://rustup.rs), and RUSTC can name one";

/// The Rust compiler that the project is built with.
#[derive(Clone, Debug)]
pub struct Toolchain {
    /// The program to call as `rustc`.
    pub rustc: OsString,
    /// What `rustc -vV` says.
    pub verbose_version: String,
    /// Its version, as in `1.95.0`.
    pub release: String,
}

impl Toolchain {
    /// Finds and asks the compiler.
    pub fn new(config: &CargoConfig) -> Result<Self> {
        let rustc = config.program("RUSTC", "rustc").unwrap_or_else(|| "rustc".into());
        let output = Command::new(&rustc)
            .arg("-vV")
            .output()
            .map_err(|error| Error::file("run", Path::new(&rustc), &error))?;
        if !output.status.success() {
            let why = String::from_utf8_lossy(&output.stderr);
            return Err(Error::usage(format!("`rustc -vV` failed: {}", why.trim())));
        }
        let verbose_version = String::from_utf8_lossy(&output.stdout).into_owned();
        let release = check(&verbose_version).map_err(Error::usage)?;
        Ok(Self { rustc, verbose_version, release })
    }
}

impl Toolchain {
    /// Where it is installed.
    pub fn sysroot(&self) -> Option<PathBuf> {
        let output = Command::new(&self.rustc).args(["--print", "sysroot"]).output().ok()?;
        String::from_utf8(output.stdout).ok().map(|sysroot| PathBuf::from(sysroot.trim()))
    }

    /// The directory of its libraries for programs.
    pub fn libraries(&self) -> Result<PathBuf> {
        let sysroot =
            self.sysroot().ok_or_else(|| Error::usage("rustc does not say where it is"))?;
        Ok(sysroot.join(LIBRARIES))
    }

    /// The compiler's own LLVM, a library, which checks are put in with. Some compilers come without.
    pub fn llvm(&self) -> Option<PathBuf> {
        let is_llvm = |path: &PathBuf| {
            let name = path.file_name().map(|name| name.to_string_lossy());
            name.is_some_and(|name| name.starts_with("libLLVM") && name.contains(".so"))
        };
        let libraries = fs::read_dir(self.sysroot()?.join("lib")).ok()?;
        let mut libraries: Vec<PathBuf> =
            libraries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_llvm).collect();
        libraries.sort();
        libraries.into_iter().find(|path| rosser_instrument::load(path).is_ok())
    }

    /// The second part of its version: 95 of `1.95.0`.
    pub fn minor(&self) -> u32 {
        self.release.split('.').nth(1).and_then(|minor| minor.parse().ok()).unwrap_or(0)
    }
}

/// The version in the answer of `rustc -vV`, if that compiler is supported.
fn check(verbose_version: &str) -> std::result::Result<String, String> {
    let field = |name: &str| {
        let mut lines = verbose_version.lines();
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).unwrap_or("unknown")
    };
    let (release, host) = (field("release"), field("host"));
    if host != HOST {
        return Err(format!("cannot check programs on {host}\n{WORKS_WITH}"));
    }
    let mut parts = release.split(['.', '-']).map(str::parse::<u32>);
    match (parts.next(), parts.next()) {
        (Some(Ok(1)), Some(Ok(minor))) if minor >= OLDEST => Ok(release.to_owned()),
        _ => Err(format!("rustc {release} is too old\n{WORKS_WITH}; {WHERE_FROM}")),
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    fn version(release: &str, host: &str) -> String {
        format!(
            "rustc {release} (abc 2026-01-01)\nbinary: rustc\nhost: {host}\nrelease: {release}\n"
        )
    }

    #[test]
    fn stable_and_nightly_compilers_will_do() {
        for release in ["1.88.0", "1.95.0", "1.97.0-nightly"] {
            let answer = check(&version(release, "x86_64-unknown-linux-gnu"));
            assert_eq!(answer, Ok(release.to_owned()));
        }
    }

    #[test]
    fn old_compilers_are_told_which_will_do() {
        assert_eq!(
            check(&version("1.87.0", "x86_64-unknown-linux-gnu")),
            Err("rustc 1.87.0 is too old\nRosser works with rustc 1.88 and later on \
                 x86_64-unknown-linux-gnu; `rustup update stable` installs one \
                 (https://rustup.rs), and RUSTC can name one"
                .to_owned())
        );
    }

    #[test]
    fn other_platforms_are_told_which_will_do() {
        assert_eq!(
            check(&version("1.95.0", "aarch64-apple-darwin")),
            Err("cannot check programs on aarch64-apple-darwin\nRosser works with rustc 1.88 and \
                 later on x86_64-unknown-linux-gnu"
                .to_owned())
        );
    }
}
