//! What the command tells the wrapper, through the environment.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use crate::error::{Error, Result};

/// The variable that says that cargo calls this executable as a wrapper.
pub const VARIABLE: &str = "ROSSER_WRAPPER";

const RUNTIME: &str = "ROSSER_WRAPPER_RUNTIME";
/// Where the instrumented build goes.
pub const BUILD: &str = "ROSSER_WRAPPER_BUILD";
const KEY: &str = "ROSSER_WRAPPER_KEY";
const CHAIN: &str = "ROSSER_WRAPPER_CHAIN";
const RUSTDOC: &str = "ROSSER_WRAPPER_RUSTDOC";
/// What is compiled as it is.
pub const UNINSTRUMENTED: &str = "ROSSER_WRAPPER_UNINSTRUMENTED";
const LLVM: &str = "ROSSER_WRAPPER_LLVM";
const IS_QUICK: &str = "ROSSER_WRAPPER_IS_QUICK";

/// What the wrapper has to know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Configuration {
    /// The directory of the runtime.
    pub runtime: PathBuf,
    /// The directory of the instrumented build.
    pub build: PathBuf,
    /// What stands for everything that goes into an instrumented program.
    pub key: String,
    /// The user's own wrapper.
    pub chain: Option<OsString>,
    /// The rustdoc to call in the end.
    pub rustdoc: OsString,
    /// Names of crates that are compiled as they are, with `_`.
    pub uninstrumented: Vec<String>,
    /// The LLVM that puts checks in; without one the compiler does.
    pub llvm: Option<PathBuf>,
    /// Whether little is done for the speed of programs.
    pub is_quick: bool,
}

impl Configuration {
    /// What the command has set.
    pub fn from_environment() -> Result<Self> {
        let get = |name| env::var_os(name).unwrap_or_default();
        let runtime = PathBuf::from(get(RUNTIME));
        if !runtime.is_dir() {
            return Err(Error::usage(format!(
                "the runtime is not in `{}` any more; run `cargo rosser` again",
                runtime.display()
            )));
        }
        let names = get(UNINSTRUMENTED).into_string().unwrap_or_default();
        Ok(Self {
            runtime,
            build: get(BUILD).into(),
            key: get(KEY).into_string().unwrap_or_default(),
            chain: Some(get(CHAIN)).filter(|chain| !chain.is_empty()),
            rustdoc: get(RUSTDOC),
            uninstrumented: names.split(',').filter(|n| !n.is_empty()).map(str::to_owned).collect(),
            llvm: Some(get(LLVM)).filter(|llvm| !llvm.is_empty()).map(PathBuf::from),
            is_quick: !get(IS_QUICK).is_empty(),
        })
    }

    /// The variables that say all this.
    pub fn variables(&self) -> Vec<(String, OsString)> {
        let mut variables = vec![
            (VARIABLE.to_owned(), "1".into()),
            (RUNTIME.to_owned(), self.runtime.clone().into()),
            (BUILD.to_owned(), self.build.clone().into()),
            (KEY.to_owned(), self.key.clone().into()),
            (RUSTDOC.to_owned(), self.rustdoc.clone()),
            (UNINSTRUMENTED.to_owned(), self.uninstrumented.join(",").into()),
        ];
        variables.push((LLVM.to_owned(), self.llvm.clone().unwrap_or_default().into()));
        variables.push((IS_QUICK.to_owned(), if self.is_quick { "1" } else { "" }.into()));
        variables.push((CHAIN.to_owned(), self.chain.clone().unwrap_or_default()));
        variables
    }

    /// The user's own wrapper in an environment that `show-env` has made.
    pub fn chain_of_environment() -> Option<OsString> {
        env::var_os(CHAIN).filter(|chain| !chain.is_empty())
    }

    /// The real rustdoc in an environment that `show-env` has made.
    pub fn rustdoc_of_environment() -> Option<OsString> {
        env::var_os(RUSTDOC).filter(|rustdoc| !rustdoc.is_empty())
    }
}
