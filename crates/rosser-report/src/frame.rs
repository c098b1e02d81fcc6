//! One function of a stack, inlined ones included, and whose code it is.

use std::path::PathBuf;

use rosser_abi::names::crates::{self, Kind};
use rosser_abi::names::symbols;

use crate::names;
use crate::paths::{Home, Located};

/// Whose code a frame runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Rosser's own, or a C function that Rosser interposes.
    Runtime,
    /// The standard library's or the C library's.
    Library,
    /// A crate's that exists to synchronise or to run tasks.
    Sync,
    /// What the report is about.
    User,
}

/// One function of a stack.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The function's path without hash and generic arguments.
    pub path: String,
    /// The same, shorter, for people.
    pub shown: String,
    /// The module that the code is in: by the file's place if that tells, else by the function.
    pub module: String,
    /// The file as it is shown.
    pub file: Option<String>,
    /// Where to read the file.
    pub source: Option<PathBuf>,
    /// The line, or 0.
    pub line: u32,
    /// The column, counted in bytes from 1, or 0.
    pub column: u32,
    /// Whose code it is.
    pub origin: Origin,
    /// Whether it was inlined into the next frame.
    pub inlined: bool,
}

impl Frame {
    /// A frame of which the compiler recorded the place.
    ///
    /// With little debug information inlined functions have names without their modules. Where the
    /// file tells the module, it is put before the name.
    pub fn new(path: String, place: Option<(Located, u32, u32)>, sync_crates: &[String]) -> Frame {
        let module = place.as_ref().and_then(|(located, ..)| located.module.as_ref());
        let path = match module {
            Some(module) if !path.contains("::") => format!("{module}::{path}"),
            _ => path,
        };
        let origin = origin(&path, place.as_ref().map(|(located, ..)| located), sync_crates);
        let (located, line, column) = match place {
            Some((located, line, column)) => (Some(located), line, column),
            None => (None, 0, 0),
        };
        let module = located
            .as_ref()
            .and_then(|located| located.module.clone())
            .unwrap_or_else(|| names::parent(&path).to_owned());
        let (file, source) = located.map(|located| (located.shown, located.file)).unzip();
        let shown = names::shown(&path);
        Frame { path, shown, module, file, source, line, column, origin, inlined: false }
    }

    /// A frame of which nothing is known but its address.
    pub fn unknown(description: String) -> Frame {
        Frame {
            shown: description.clone(),
            path: description,
            module: String::new(),
            file: None,
            source: None,
            line: 0,
            column: 0,
            origin: Origin::Library,
            inlined: false,
        }
    }

    /// Whether the code is in a module or below it.
    pub fn is_in(&self, module: &str) -> bool {
        self.module
            .strip_prefix(module)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    }

    /// The crate that the code belongs to.
    pub fn krate(&self) -> &str {
        let krate = self.module.split("::").next().unwrap_or_default();
        if krate.is_empty() { names::krate(&self.path).unwrap_or_default() } else { krate }
    }

    /// `file:line:column`, as far as known.
    pub fn position(&self) -> Option<String> {
        let file = self.file.as_deref()?;
        Some(match (self.line, self.column) {
            (0, _) => file.to_owned(),
            (line, 0) => format!("{file}:{line}"),
            (line, column) => format!("{file}:{line}:{column}"),
        })
    }

    /// The place in a sentence: its position, or else the function.
    pub fn at(&self) -> String {
        match (&self.file, self.line) {
            (Some(file), 0) => file.clone(),
            (Some(file), line) => format!("{file}:{line}"),
            (None, _) => format!("`{}`", self.shown),
        }
    }
}

fn origin(path: &str, located: Option<&Located>, sync_crates: &[String]) -> Origin {
    let by_name = names::krate(path);
    // Rust puts `__rustc::` before its allocator's symbols.
    let plain = path.strip_prefix("__rustc::").unwrap_or(path);
    let package = located.and_then(Located::package);
    let is = |krate: &str, kind| crates::find(krate).is_some_and(|known| known.kind == kind);
    let is_runtime = |krate: &str| is(krate, Kind::Runtime);
    if by_name.is_some_and(is_runtime)
        || package.as_deref().is_some_and(is_runtime)
        || symbols::is_callback(plain) && !plain.contains("::")
        || symbols::INTERPOSED.contains(&plain)
    {
        return Origin::Runtime;
    }
    let is_task_library = |krate: &str| is(krate, Kind::Tasks);
    let is_sync = |krate: &str| {
        is(krate, Kind::Synchronisation)
            || is_task_library(krate)
            || sync_crates.iter().any(|name| name.replace('-', "_") == krate)
    };
    let is_std = |krate: &str| is(krate, Kind::Standard);
    let by_place = located.and_then(|located| located.module.as_deref());
    let by_place = by_place.map(|module| module.split("::").next().unwrap_or(module));
    match located.map(|located| &located.home) {
        Some(Home::Std) => Origin::Library,
        // The replacement of rayon-core and the task library are nobody's code, wherever they lie.
        Some(_) if [by_name, package.as_deref()].into_iter().flatten().any(is_task_library) => {
            Origin::Sync
        }
        // A crate under development is its developer's own code even if it is a library of locks.
        Some(Home::Workspace) => Origin::User,
        Some(_) => match by_place.or(by_name) {
            Some(krate) if is_sync(krate) => Origin::Sync,
            Some(krate) if is_std(krate) && by_place.is_none() => Origin::Library,
            _ => Origin::User,
        },
        None => match by_name {
            Some(krate) if is_sync(krate) => Origin::Sync,
            Some(krate) if is_std(krate) => Origin::Library,
            Some(_) => Origin::User,
            // Without debug information and without a Rust name: the C library, start-up code.
            None => Origin::Library,
        },
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{Frame, Origin};
    use crate::paths::Roots;

    fn origin(path: &str, file: Option<&str>) -> Origin {
        let roots = Roots::new(&[PathBuf::from("/ws")]);
        let place = file.map(|file| (roots.locate(file), 1, 1));
        Frame::new(path.to_owned(), place, &["my-locks".to_owned()]).origin
    }

    #[test]
    fn whose_code_it_is() {
        let std = Some("/rustc/0/library/core/src/x.rs");
        let registry = |package: &str| format!("/c/registry/src/i/{package}/src/x.rs");
        let cases = [
            ("app::main", Some("/ws/src/main.rs"), Origin::User),
            ("app::main", None, Origin::User),
            // The function says `app`, but the code is the library's.
            ("<app::S as core::clone::Clone>::clone", std, Origin::Library),
            ("core::ptr::write", std, Origin::Library),
            ("core::ptr::write", None, Origin::Library),
            ("rosser_runtime::slow::read", Some("/x/rosser-runtime/src/slow.rs"), Origin::Runtime),
            ("__tsan_read8", None, Origin::Runtime),
            ("rosser_join", Some("/ws/x.rs"), Origin::Runtime),
            ("malloc", None, Origin::Runtime),
            ("__rustc::__rust_alloc", None, Origin::Runtime),
            ("main", None, Origin::Library),
            ("compute", Some("/ws/c/compute.c"), Origin::User),
            ("rayon_core::join::join", Some("/ws/shims/rayon-core/src/join.rs"), Origin::Sync),
            ("rayon_core::join::join", Some("/cache/shim/join.rs"), Origin::Sync),
            ("my_locks::lock", Some("/elsewhere/lock.rs"), Origin::Sync),
            // Names as they are with line tables only.
            ("join", Some("/ws/shims/rayon-core/src/join.rs"), Origin::Sync),
            ("here", Some("/ws/crates/rosser-runtime/src/access.rs"), Origin::Runtime),
            ("here", Some("/cache/rosser-runtime-0.1.0/src/access.rs"), Origin::Runtime),
            ("call", Some("/rustc/0/library/core/src/ops/function.rs"), Origin::Library),
            ("{closure#0}", Some("/ws/src/main.rs"), Origin::User),
            ("rayon::iter::test::check", Some("/ws/src/iter/test.rs"), Origin::User),
        ];
        for (path, file, expected) in cases {
            assert_eq!(origin(path, file), expected, "{path} in {file:?}");
        }
        assert_eq!(origin("parking_lot::f", Some(&registry("parking_lot-0.12.1"))), Origin::Sync);
        assert_eq!(
            origin("<app::S as itertools::I>::f", Some(&registry("spin-0.9.8"))),
            Origin::Sync
        );
        assert_eq!(origin("itertools::f", Some(&registry("itertools-0.14.0"))), Origin::User);
    }

    #[test]
    fn a_bare_name_gets_the_module_of_its_file() {
        let roots = Roots::new(&[]);
        let place = roots.locate("/c/registry/src/i/rayon-1.12.0/src/iter/plumbing/mod.rs");
        let frame = Frame::new("helper".to_owned(), Some((place, 1, 1)), &[]);
        assert_eq!(frame.path, "rayon::iter::plumbing::helper");
    }

    #[test]
    fn modules_are_prefixes_at_a_boundary() {
        let frame = Frame::new("std::sync::mutexes::f".to_owned(), None, &[]);
        assert!(frame.is_in("std::sync") && frame.is_in("std::sync::mutexes"));
        assert!(!frame.is_in("std::sync::mutex"));
    }
}
