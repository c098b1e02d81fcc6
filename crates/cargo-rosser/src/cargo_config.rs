//! The few values of cargo's own configuration that have to be known.
//!
//! `cargo config get` would answer this, but it is unstable. The order is cargo's: a program's own
//! variable (`RUSTC_WRAPPER`), `--config`, the general variable (`CARGO_BUILD_RUSTC_WRAPPER`), then
//! the files from the current directory upwards and in cargo's home.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

/// The configuration of cargo, the decisive part first.
#[derive(Debug, Default)]
pub struct CargoConfig {
    flags: Vec<Source>,
    files: Vec<Source>,
}

/// A file, and the directory that paths in it are relative to.
#[derive(Debug)]
struct Source {
    table: Table,
    base: PathBuf,
}

impl CargoConfig {
    /// Reads everything. What cannot be read or parsed is cargo's to complain about.
    pub fn read(common: &[OsString]) -> Self {
        let here = env::current_dir().unwrap_or_default();
        let home = env::var_os("CARGO_HOME")
            .map(PathBuf::from)
            .or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")));
        let mut directories: Vec<PathBuf> =
            here.ancestors().map(|directory| directory.join(".cargo")).collect();
        directories.extend(home.filter(|home| !directories.contains(home)));
        let files = directories.iter().filter_map(|directory| {
            let path = ["config", "config.toml"].map(|name| directory.join(name));
            source(path.iter().find(|path| path.is_file())?)
        });
        let values = common.windows(2).filter(|pair| pair[0] == "--config");
        let flags = values.filter_map(|pair| {
            let text = pair[1].to_str()?;
            match text.parse() {
                Ok(table) => Some(Source { table, base: here.clone() }),
                Err(_) => source(&here.join(text)),
            }
        });
        // Later flags override earlier ones.
        let mut flags: Vec<Source> = flags.collect();
        flags.reverse();
        Self { flags, files: files.collect() }
    }

    /// A program under `build.<key>`; `variable` is its own environment variable.
    pub fn program(&self, variable: &str, key: &str) -> Option<OsString> {
        self.program_in(variable, key, |name| env::var_os(name))
    }

    fn program_in(
        &self,
        variable: &str,
        key: &str,
        get: impl Fn(&str) -> Option<OsString>,
    ) -> Option<OsString> {
        let general = format!("CARGO_BUILD_{}", key.to_uppercase().replace('-', "_"));
        let from = |sources: &[Source]| {
            sources.iter().find_map(|source| {
                let program = source.table.get("build")?.get(key)?.as_str()?;
                // A name alone is looked for in PATH; anything else is relative to the file.
                let is_path = program.contains('/');
                Some(if is_path { source.base.join(program).into() } else { program.into() })
            })
        };
        get(variable)
            .or_else(|| from(&self.flags))
            .or_else(|| get(&general))
            .or_else(|| from(&self.files))
            .filter(|program: &OsString| !program.is_empty())
    }

    /// The targets under `build.target`.
    pub fn targets(&self) -> Vec<String> {
        let from = |sources: &[Source]| {
            sources.iter().find_map(|source| match source.table.get("build")?.get("target")? {
                Value::String(target) => Some(vec![target.clone()]),
                Value::Array(targets) => {
                    Some(targets.iter().filter_map(|one| Some(one.as_str()?.to_owned())).collect())
                }
                _ => None,
            })
        };
        let variable = || env::var("CARGO_BUILD_TARGET").ok().map(|target| vec![target]);
        from(&self.flags).or_else(variable).or_else(|| from(&self.files)).unwrap_or_default()
    }
}

fn source(path: &Path) -> Option<Source> {
    let table = fs::read_to_string(path).ok()?.parse().ok()?;
    let base = path.parent()?.parent()?.to_owned();
    Some(Source { table, base })
}

#[cfg(test)]
mod tests {
    use super::{CargoConfig, Source};

    fn config(files: &[(&str, &str)]) -> CargoConfig {
        let source = |&(text, base): &(&str, &str)| Source {
            table: text.parse().unwrap(),
            base: base.into(),
        };
        CargoConfig { flags: Vec::new(), files: files.iter().map(source).collect() }
    }

    #[test]
    fn the_nearest_file_decides_and_paths_are_relative_to_it() {
        let config = config(&[
            ("build.rustc-wrapper = 'tools/wrap'", "/near"),
            ("build.rustc-wrapper = 'sccache'", "/far"),
        ]);
        let found = config.program_in("RUSTC_WRAPPER", "rustc-wrapper", |_| None);
        assert_eq!(found, Some("/near/tools/wrap".into()));
    }

    #[test]
    fn a_bare_name_is_left_to_the_search_path() {
        let config = config(&[("build.rustc-wrapper = 'sccache'", "/far")]);
        let found = config.program_in("RUSTC_WRAPPER", "rustc-wrapper", |_| None);
        assert_eq!(found, Some("sccache".into()));
    }

    #[test]
    fn the_environment_comes_before_files_and_an_empty_value_means_none() {
        let config = config(&[("build.rustc-wrapper = 'sccache'", "/far")]);
        let with = |name: &'static str, value: &'static str| {
            let get = move |asked: &str| (asked == name).then(|| value.into());
            config.program_in("RUSTC_WRAPPER", "rustc-wrapper", get)
        };
        assert_eq!(with("RUSTC_WRAPPER", "ccache"), Some("ccache".into()));
        assert_eq!(with("CARGO_BUILD_RUSTC_WRAPPER", "other"), Some("other".into()));
        assert_eq!(with("RUSTC_WRAPPER", ""), None);
    }

    #[test]
    fn targets_are_one_or_several() {
        assert_eq!(config(&[("build.target = 'a'", "/")]).targets(), ["a"]);
        assert_eq!(config(&[("build.target = ['a', 'b']", "/")]).targets(), ["a", "b"]);
    }
}
