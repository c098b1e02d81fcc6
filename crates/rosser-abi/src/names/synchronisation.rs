//! Code whose conflicts may be no findings: once-cells, locks, reference counts, searches. `rosser-report` has the
//! rules (`rules.rs`). A name is a module or a function, and stands for all that is in it.

/// Wrappers around the instructions.
pub const ATOMICS: &[&str] = &["core::sync::atomic", "core::intrinsics", "portable_atomic"];

/// Code that initialises once.
pub const ONCE: &[&str] = &[
    "std::sync::once",
    "std::sync::once_lock",
    "std::sync::lazy_lock",
    "std::sync::poison::once",
    "std::sys::sync::once",
    "std::sys::sync::once_box",
    "once_cell",
    "lazy_static",
    "parking_lot::once",
    "spin::once",
    "spin::lazy",
];

/// Code of locks, once cells, reference counts, and of memory reclamation.
pub const INTERNAL: &[&str] = &[
    "std::sync",
    "std::sys::futex",
    "std::sys::pal",
    "std::sys::sync",
    "alloc::sync",
    "lock_api",
    "parking_lot",
    "parking_lot_core",
    "once_cell",
    "lazy_static",
    "spin",
    "crossbeam_epoch::collector",
    "crossbeam_epoch::epoch",
    "crossbeam_epoch::guard",
    "crossbeam_epoch::internal",
    "crossbeam_epoch::sync",
];

/// Parts of the above that pass data on.
pub const NOT_INTERNAL: &[&str] = &["std::sync::mpsc", "std::sync::mpmc", "std::sync::oneshot"];

/// Parts of those that count who still has an end of a channel.
pub const COUNTERS: &[&str] = &["std::sync::mpmc::counter", "crossbeam_channel::counter"];

/// Code of `Arc` and `Weak`.
pub const COUNTS: &str = "alloc::sync";

/// Functions of `Arc` and `Weak` that tell the program the count, or whether it is one.
pub const OBSERVERS: &[&str] = &[
    "strong_count",
    "weak_count",
    "is_unique",
    "get_mut",
    "make_mut",
    "try_unwrap",
    "unwrap_or_clone",
    "into_inner",
];

/// Code of rayon's searches.
pub const SEARCH: &[&str] = &["rayon::iter::find", "rayon::iter::find_first_last"];

/// Searches whose answer is the same in every schedule. Some are made of those in [`ANY`].
pub const ANSWERS: &[&str] = &[
    "any",
    "all",
    "find_first",
    "find_last",
    "find_map_first",
    "find_map_last",
    "position_first",
    "position_last",
    "cmp",
    "partial_cmp",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
];

/// Searches that give one of several answers.
pub const ANY: &[&str] = &["find_any", "find_map_any", "position_any", "find"];

/// Rayon's collecting into an `Option`, and the adaptor it uses.
pub const OPTION: [&str; 2] = ["rayon::option", "rayon::iter::while_some"];

/// Rayon's `par_bridge`, whose items are not checked against each other.
pub const PAR_BRIDGE: &str = "rayon::iter::par_bridge";
