//! Functions that only pass tasks on: what they do to memory is to move things from one owner to the next. `ownership`
//! of `rosser-instrument` says why they get no checks. Names are demangled, and stand for all that begins with them.

/// Functions that only pass tasks on, with what is inside them.
pub const PASSING_ON: [&str; 8] = [
    "rayon::iter::plumbing::rosser_items::fold",
    "rayon::iter::plumbing::rosser_items::leaf",
    "rayon::iter::plumbing::bridge_producer_consumer::helper",
    "rayon::iter::plumbing::LengthSplitter",
    "rayon::iter::plumbing::Splitter",
    "rayon_core::items::",
    "rayon_core::join::",
    "rayon_core::job::",
];

/// What rayon's own iterators, and those that consume their items, implement to be split.
pub const SPLIT: [&str; 3] = [
    " as rayon::iter::plumbing::Producer>::",
    " as rayon::iter::plumbing::Consumer<",
    " as rayon::iter::plumbing::UnindexedConsumer<",
];

/// Of that, the functions that look at no item.
pub const SPLITTING: [&str; 7] =
    ["split_at", "split_off_left", "into_iter", "into_folder", "to_reducer", "min_len", "max_len"];

/// Functions of the standard library that do so, too, if it is a job of the shim that they call, move or drop.
pub const AT_WORK: [&str; 4] =
    ["std::panic", "core::ptr::drop_in_place", "core::ptr::read", "core::ops::function::FnOnce"];
/// What those have in their names then.
pub const FOR: &str = "rayon_core::job::";
