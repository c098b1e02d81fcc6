//! Where a source file comes from, and how it is shown.
//!
//! | file | shown as |
//! |---|---|
//! | under the workspace's root | relative to it |
//! | of a package from a registry | `crate-1.2.3/src/x.rs` |
//! | of a package from git | `name/src/x.rs` |
//! | of the standard library | `library/core/src/x.rs` |
//! | any other | as the compiler recorded it |

use std::path::{Component, Path, PathBuf};

/// Where a file comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Home {
    /// The standard library, or a crate compiled into it.
    Std,
    /// A package that was downloaded.
    Package,
    /// The workspace that is checked.
    Workspace,
    /// None of these: a path dependency, a generated file.
    Elsewhere,
}

/// What a path tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// Where it comes from.
    pub home: Home,
    /// How it is shown.
    pub shown: String,
    /// The module that the file is by its place: `std::sync::poison::mutex`. Only where the
    /// directory layout tells the crate.
    pub module: Option<String>,
    /// Where to read it.
    pub file: PathBuf,
}

impl Located {
    /// The name of the directory that the `src` is in, spelt like a crate: mostly the crate's name.
    pub fn package(&self) -> Option<String> {
        let path = self.file.to_string_lossy();
        let (package, _) = path.rsplit_once("/src/")?;
        Some(package_name(package))
    }
}

/// The directories that sources are looked for in.
#[derive(Debug)]
pub struct Roots {
    /// Each as given and, where that differs, without symbolic links.
    roots: Vec<PathBuf>,
    /// How many of them are the first root's.
    workspace: usize,
}

impl Roots {
    pub fn new(given: &[PathBuf]) -> Roots {
        let mut roots = Vec::new();
        let mut workspace = 0;
        for (index, root) in given.iter().enumerate() {
            let spelled = without_dots(root);
            if let Ok(real) = root.canonicalize()
                && real != spelled
            {
                roots.push(real);
            }
            roots.push(spelled);
            if index == 0 {
                workspace = roots.len();
            }
        }
        Roots { roots, workspace }
    }

    /// Says where a file is, given the path that the compiler recorded.
    pub fn locate(&self, recorded: &str) -> Located {
        let clean = without_dots(Path::new(recorded));
        let text = clean.to_string_lossy().into_owned();
        if let Some(shown) = standard(&text) {
            let module = module_of(shown.strip_prefix("library/").unwrap_or(&shown));
            return Located { home: Home::Std, module, shown, file: clean };
        }
        if let Some((_, package)) = text.split_once("/registry/src/")
            && let Some((_, shown)) = package.split_once('/')
        {
            let shown = shown.to_owned();
            return Located { home: Home::Package, module: module_of(&shown), shown, file: clean };
        }
        if let Some((_, checkout)) = text.split_once("/git/checkouts/")
            && let Some((name, rest)) = checkout.split_once('/')
            && let Some((_, rest)) = rest.split_once('/')
        {
            let name = name.rsplit_once('-').map_or(name, |(name, _)| name);
            let shown = format!("{name}/{rest}");
            return Located { home: Home::Package, module: None, shown, file: clean };
        }
        for root in &self.roots[..self.workspace] {
            if let Ok(inside) = clean.strip_prefix(root) {
                let shown = inside.to_string_lossy().into_owned();
                let home =
                    if shown.starts_with("vendor/") { Home::Package } else { Home::Workspace };
                return Located { home, module: None, shown, file: clean };
            }
        }
        // A build that remaps paths records them relative to a root.
        if clean.is_relative() {
            for (index, root) in self.roots.iter().enumerate() {
                let file = root.join(&clean);
                if file.is_file() {
                    let home =
                        if index < self.workspace { Home::Workspace } else { Home::Elsewhere };
                    return Located { home, module: None, shown: text, file };
                }
            }
        }
        Located { home: Home::Elsewhere, module: None, shown: text, file: clean }
    }
}

/// The part of a standard library's path that matters.
fn standard(path: &str) -> Option<String> {
    if let Some(rest) = path.strip_prefix("/rustc/") {
        return Some(rest.split_once('/')?.1.to_owned());
    }
    if let Some((_, rest)) = path.split_once("/lib/rustlib/src/rust/") {
        return Some(rest.to_owned());
    }
    // Crates that std is built with are recorded under this made-up directory.
    path.strip_prefix("/rust/deps/").map(str::to_owned)
}

/// The module of `crate-1.2.3/src/a/b.rs`.
fn module_of(path: &str) -> Option<String> {
    let (package, file) = path.split_once("/src/")?;
    let mut module = package_name(package);
    let file = file.strip_suffix(".rs")?;
    for part in file.split('/') {
        if !matches!(part, "mod" | "lib" | "main") {
            module.push_str("::");
            module.push_str(part);
        }
    }
    Some(module)
}

/// The crate of a package's directory, whose name may end with a version.
fn package_name(directory: &str) -> String {
    let directory = directory.rsplit('/').next().unwrap_or(directory);
    let name = match directory.rsplit_once('-') {
        Some((name, version)) if version.starts_with(|c: char| c.is_ascii_digit()) => name,
        _ => directory,
    };
    name.replace('-', "_")
}

/// Resolves `.` and `..` without asking the file system.
fn without_dots(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if out.file_name().is_some() => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{Home, Roots};

    #[test]
    fn each_home_is_recognised() {
        let roots = Roots::new(&[PathBuf::from("/home/u/ws")]);
        let cases = [
            ("/home/u/ws/a/../src/main.rs", Home::Workspace, "src/main.rs", None),
            ("/home/u/ws/vendor/rayon/src/lib.rs", Home::Package, "vendor/rayon/src/lib.rs", None),
            (
                "/home/u/.cargo/registry/src/index-1/parking_lot-0.12.3/src/raw_mutex.rs",
                Home::Package,
                "parking_lot-0.12.3/src/raw_mutex.rs",
                Some("parking_lot::raw_mutex"),
            ),
            (
                "/home/u/.cargo/registry/src/index-1/arc-swap-1.7.0/src/debt/mod.rs",
                Home::Package,
                "arc-swap-1.7.0/src/debt/mod.rs",
                Some("arc_swap::debt"),
            ),
            (
                "/home/u/.cargo/git/checkouts/some-lib-0123456789abcdef/89ab/src/x.rs",
                Home::Package,
                "some-lib/src/x.rs",
                None,
            ),
            (
                "/rustc/0123/library/std/src/sync/poison/mutex.rs",
                Home::Std,
                "library/std/src/sync/poison/mutex.rs",
                Some("std::sync::poison::mutex"),
            ),
            (
                "/t/lib/rustlib/src/rust/library/core/src/sync/atomic.rs",
                Home::Std,
                "library/core/src/sync/atomic.rs",
                Some("core::sync::atomic"),
            ),
            (
                "/rust/deps/hashbrown-0.16.1/src/raw.rs",
                Home::Std,
                "hashbrown-0.16.1/src/raw.rs",
                Some("hashbrown::raw"),
            ),
            ("/usr/src/x.c", Home::Elsewhere, "/usr/src/x.c", None),
        ];
        for (recorded, home, shown, module) in cases {
            let located = roots.locate(recorded);
            assert_eq!((located.home, located.shown.as_str()), (home, shown));
            assert_eq!(located.module.as_deref(), module);
        }
    }
}
