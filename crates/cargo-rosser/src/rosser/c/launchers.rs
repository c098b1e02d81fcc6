//! This executable under the names of compilers, for builds that want a path and not a command.

use std::env;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::c_compiler::{Language, find};
use crate::cache;
use crate::error::{Error, Result};
use crate::show_env::quoted;

/// Prints the variables that have builds call `rosser cc` and `rosser c++`. Compilers that the user has named
/// are those that are called in turn.
pub fn show_env() -> Result<u8> {
    let directory = prepare()?;
    for language in Language::ALL {
        println!("export {}={}", language.variable(), shown(directory.join(language.launcher())));
        // Without a C++ compiler, programs in C can be built all the same.
        let Ok(compiler) = find(language, &[language.variable()]) else { continue };
        let mut words = vec![compiler.program.into_os_string()];
        words.extend(compiler.arguments);
        println!("export {}={}", language.own_variable(), shown(words.join(" ".as_ref())));
    }
    Ok(0)
}

fn shown(value: impl Into<std::ffi::OsString>) -> String {
    quoted(&value.into())
}

/// A directory of the cache.
fn prepare() -> Result<PathBuf> {
    let us = env::current_exe()
        .map_err(|error| Error::usage(format!("cannot find this executable: {error}")))?;
    let mut hasher = DefaultHasher::new();
    us.hash(&mut hasher);
    let name = format!("launchers-{:016x}", hasher.finish());
    let build = |unfinished: &Path| {
        for language in Language::ALL {
            link(&us, &unfinished.join(language.launcher()))?;
        }
        Ok(unfinished.to_owned())
    };
    Ok(cache::obtain(&name, || {}, build)?.directory)
}

fn link(us: &Path, launcher: &Path) -> Result<()> {
    let parent = launcher.parent().expect("it is in a directory");
    std::fs::create_dir_all(parent)
        .and_then(|()| symlink(us, launcher))
        .map_err(|error| Error::file("create", launcher, &error))
}
