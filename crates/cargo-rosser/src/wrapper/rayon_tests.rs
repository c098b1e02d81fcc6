//! rayon-core's own unit tests, run against the crate that replaces it.
//!
//! The original's tests are modules of its crate, so they have to become modules of ours. The
//! replacement's sources have marker lines where each belongs; in a copy of them the markers are
//! replaced by `mod` items that point to the original files.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::runtime_cache::Runtime;

/// How a marker begins. The rest of the line is a path in the original's `src`.
const MARKER: &str = "// rosser: upstream tests of ";

/// Makes a copy of the replacement that has the original's test modules in it, and returns its
/// root. `original` is the root of the original crate.
pub fn prepare(original: &Path, runtime: &Path, directory: &Path) -> Result<PathBuf> {
    let original =
        std::path::absolute(original).map_err(|error| Error::file("find", original, &error))?;
    let tests = original.parent().expect("a crate root is in a directory");
    let root = Runtime::rayon_core(runtime);
    let sources = root.parent().expect("a crate root is in a directory");
    copy(sources, directory, tests)?;
    Ok(directory.join("lib.rs"))
}

fn copy(from: &Path, to: &Path, tests: &Path) -> Result<()> {
    fs::create_dir_all(to).map_err(|error| Error::file("create", to, &error))?;
    let entries = fs::read_dir(from).map_err(|error| Error::file("read", from, &error))?;
    for entry in entries.flatten() {
        let (source, copied) = (entry.path(), to.join(entry.file_name()));
        if source.is_dir() {
            copy(&source, &copied, tests)?;
            continue;
        }
        let text = fs::read_to_string(&source).map_err(|e| Error::file("read", &source, &e))?;
        let text = with_tests(&text, tests, &|path| path.is_file());
        // A file that is written again would look changed to cargo.
        if fs::read_to_string(&copied).is_ok_and(|old| old == text) {
            continue;
        }
        fs::write(&copied, text).map_err(|error| Error::file("write", &copied, &error))?;
    }
    Ok(())
}

/// Replaces the markers of one file. Not every version has all tests.
fn with_tests(text: &str, tests: &Path, exists: &dyn Fn(&Path) -> bool) -> String {
    let mut result = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.trim_end().strip_prefix(MARKER).map(|path| tests.join(path)) {
            Some(path) if exists(&path) => {
                writeln!(result, "#[cfg(test)] #[path = {:?}] mod test;", path.display())
                    .expect("strings grow");
            }
            _ => result.push_str(line),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::with_tests;

    #[test]
    fn markers_become_modules_and_lines_keep_their_numbers() {
        let text = "use a;\n// rosser: upstream tests of join/test.rs\nfn f() {}\n";
        let result = with_tests(text, Path::new("/rayon/src"), &|_| true);
        assert_eq!(
            result,
            "use a;\n#[cfg(test)] #[path = \"/rayon/src/join/test.rs\"] mod test;\nfn f() {}\n"
        );
    }

    #[test]
    fn markers_of_tests_that_a_version_does_not_have_stay() {
        let text = "// rosser: upstream tests of broadcast/test.rs\n";
        assert_eq!(with_tests(text, Path::new("/rayon/src"), &|_| false), text);
    }
}
