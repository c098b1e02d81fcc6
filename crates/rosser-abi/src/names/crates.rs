//! Crates that are libraries to the program, and of what kind.

use Kind::{Other, Runtime, Standard, Synchronisation, Tasks};

/// What Rosser knows of a crate.
#[derive(Clone, Copy, Debug)]
pub struct Crate {
    /// Its name, as the compiler has it.
    pub name: &'static str,
    /// What it is for. It decides whether the report shows a place in it.
    pub kind: Kind,
    /// Whether a user sees a call of its functions as one operation. The runtime then remembers the caller with an
    /// access that the crate makes.
    pub is_one_operation: bool,
}

/// What a crate is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The standard library and its parts, and what the compiler adds.
    Standard,
    /// Rosser's own, linked into the checked program.
    Runtime,
    /// It runs tasks. Rosser replaces it or brings it along, wherever its sources are.
    Tasks,
    /// It synchronises: locks, channels, once-cells, executors.
    Synchronisation,
    /// Any other library.
    Other,
}

/// Every crate that is known by name.
pub const CRATES: &[Crate] = &[
    Crate { name: "core", kind: Standard, is_one_operation: true },
    Crate { name: "alloc", kind: Standard, is_one_operation: true },
    Crate { name: "std", kind: Standard, is_one_operation: true },
    Crate { name: "test", kind: Standard, is_one_operation: true },
    Crate { name: "proc_macro", kind: Standard, is_one_operation: false },
    Crate { name: "std_detect", kind: Standard, is_one_operation: false },
    Crate { name: "__rustc", kind: Standard, is_one_operation: false },
    Crate { name: "hashbrown", kind: Other, is_one_operation: true },
    Crate { name: "rosser_abi", kind: Runtime, is_one_operation: false },
    Crate { name: "rosser_detect", kind: Runtime, is_one_operation: false },
    Crate { name: "rosser_runtime", kind: Runtime, is_one_operation: true },
    Crate { name: "rayon_core", kind: Tasks, is_one_operation: true },
    Crate { name: "rosser", kind: Tasks, is_one_operation: false },
    Crate { name: "arc_swap", kind: Synchronisation, is_one_operation: true },
    Crate { name: "async_channel", kind: Synchronisation, is_one_operation: false },
    Crate { name: "corosensei", kind: Synchronisation, is_one_operation: false },
    Crate { name: "crossbeam", kind: Synchronisation, is_one_operation: true },
    Crate { name: "crossbeam_channel", kind: Synchronisation, is_one_operation: true },
    Crate { name: "crossbeam_deque", kind: Synchronisation, is_one_operation: true },
    Crate { name: "crossbeam_epoch", kind: Synchronisation, is_one_operation: true },
    Crate { name: "crossbeam_queue", kind: Synchronisation, is_one_operation: true },
    Crate { name: "crossbeam_skiplist", kind: Synchronisation, is_one_operation: false },
    Crate { name: "crossbeam_utils", kind: Synchronisation, is_one_operation: true },
    Crate { name: "event_listener", kind: Synchronisation, is_one_operation: false },
    Crate { name: "flume", kind: Synchronisation, is_one_operation: true },
    Crate { name: "kanal", kind: Synchronisation, is_one_operation: false },
    Crate { name: "lazy_static", kind: Synchronisation, is_one_operation: true },
    Crate { name: "lock_api", kind: Synchronisation, is_one_operation: true },
    Crate { name: "once_cell", kind: Synchronisation, is_one_operation: true },
    Crate { name: "oneshot", kind: Synchronisation, is_one_operation: false },
    Crate { name: "parking", kind: Synchronisation, is_one_operation: false },
    Crate { name: "parking_lot", kind: Synchronisation, is_one_operation: true },
    Crate { name: "parking_lot_core", kind: Synchronisation, is_one_operation: true },
    Crate { name: "rayon", kind: Synchronisation, is_one_operation: true },
    Crate { name: "spin", kind: Synchronisation, is_one_operation: true },
    Crate { name: "thread_local", kind: Synchronisation, is_one_operation: true },
    Crate { name: "either", kind: Other, is_one_operation: true },
];

/// What is known of the crate of that name.
pub fn find(name: &str) -> Option<&'static Crate> {
    CRATES.iter().find(|known| known.name == name)
}

/// The names of the runtime's crates as they are in mangled symbols: the length, then the name.
pub const RUNTIME_MANGLED: [&[u8]; 3] = [b"14rosser_runtime", b"13rosser_detect", b"10rosser_abi"];

/// Packages that are allocators. What one does inside is its own: a block that one task frees and another gets would
/// look shared.
pub const ALLOCATORS: [&str; 8] = [
    "libmimalloc_sys",
    "mimalloc_sys",
    "tikv_jemalloc_sys",
    "jemalloc_sys",
    "rpmalloc_sys",
    "snmalloc_sys",
    "tcmalloc_sys",
    "tcmalloc_better",
];

#[cfg(test)]
mod tests {
    extern crate std;

    use std::format;
    use std::vec::Vec;

    use super::{CRATES, Kind, RUNTIME_MANGLED, find};

    #[test]
    fn every_crate_is_there_once() {
        for known in CRATES {
            assert_eq!(
                CRATES.iter().filter(|other| other.name == known.name).count(),
                1,
                "{known:?}"
            );
        }
        assert_eq!(find("rayon").map(|known| known.kind), Some(Kind::Synchronisation));
        assert!(find("itertools").is_none());
    }

    #[test]
    fn the_runtimes_crates_have_their_mangled_names() {
        let runtime = CRATES.iter().filter(|known| known.kind == Kind::Runtime);
        let mut names: Vec<_> =
            runtime.map(|it| format!("{}{}", it.name.len(), it.name).into_bytes()).collect();
        let mut mangled: Vec<_> = RUNTIME_MANGLED.iter().map(|name| name.to_vec()).collect();
        names.sort();
        mangled.sort();
        assert_eq!(names, mangled);
    }
}
