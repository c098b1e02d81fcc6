//! What a call of the compiler is for.

use std::ffi::OsString;
use std::path::PathBuf;

/// A call of the compiler.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// Whether cargo compiles a crate for the target: not a question to the compiler, not a
    /// build script or its probing, not a proc-macro or a dependency of either.
    pub is_checked: bool,
    /// The crate's name, as `--crate-name` has it.
    pub name: String,
    /// What is made of it.
    pub crate_types: Vec<String>,
    /// Whether it is compiled with its tests.
    pub is_test: bool,
    /// The version of the package.
    pub version: String,
    /// Where the compiler writes, if cargo says so.
    pub directory: PathBuf,
    /// What is added to the names of files.
    pub suffix: String,
    /// How far the compiler is told to optimise, from 1 to 3.
    pub level: u8,
}

impl Unit {
    /// Looks at the compiler's arguments and at what cargo says of the crate in the environment.
    pub fn new(arguments: &[OsString], get: impl Fn(&str) -> Option<String>) -> Self {
        let text: Vec<&str> = arguments.iter().filter_map(|argument| argument.to_str()).collect();
        let values = |name: &str| -> Vec<&str> {
            let after = text.windows(2).filter(|pair| pair[0] == name).map(|pair| pair[1]);
            let joined = text.iter().filter_map(|one| one.strip_prefix(name)?.strip_prefix('='));
            after.chain(joined).collect()
        };
        let name = values("--crate-name").first().copied().unwrap_or_default().to_owned();
        // Cargo sets this variable for what it compiles, but not for build scripts that it runs:
        // those may call the compiler for themselves.
        let by_cargo = get("CARGO_CRATE_NAME").is_some_and(|crate_name| crate_name == name);
        let types = values("--crate-type");
        let crate_types: Vec<String> =
            types.iter().flat_map(|types| types.split(',')).map(str::to_owned).collect();
        let for_target = !values("--target").is_empty();
        let is_question = !values("--print").is_empty();
        let is_macro = crate_types.iter().any(|one| one == "proc-macro");
        let options = values("-C");
        let joined = text.iter().filter_map(|one| one.strip_prefix("-C"));
        let options: Vec<&str> = options.into_iter().chain(joined).collect();
        let option = |name: &str| {
            options.iter().filter_map(|one| one.strip_prefix(name)?.strip_prefix('=')).next_back()
        };
        let level = match option("opt-level") {
            Some("0" | "1") => 1,
            Some("3") => 3,
            _ => 2,
        };
        Self {
            directory: values("--out-dir").first().copied().unwrap_or_default().into(),
            suffix: option("extra-filename").unwrap_or_default().to_owned(),
            level,
            is_checked: by_cargo && for_target && !is_question && !is_macro,
            name,
            crate_types,
            is_test: text.contains(&"--test"),
            version: get("CARGO_PKG_VERSION").unwrap_or_default(),
        }
    }

    /// The archives that the compiler makes of it.
    pub fn libraries(&self) -> Vec<PathBuf> {
        if self.is_test {
            return Vec::new();
        }
        let extensions = self.crate_types.iter().filter_map(|kind| match &**kind {
            "lib" | "rlib" => Some("rlib"),
            "staticlib" => Some("a"),
            _ => None,
        });
        let name = |extension| format!("lib{}{}.{extension}", self.name, self.suffix);
        extensions.map(|extension| self.directory.join(name(extension))).collect()
    }

    /// Whether it is only a library for programs that load it or link it in a way of their own.
    pub fn is_shared_library(&self) -> bool {
        let shared = |one: &String| matches!(&**one, "cdylib" | "staticlib" | "dylib");
        !self.is_test && !self.crate_types.is_empty() && self.crate_types.iter().all(shared)
    }
}
