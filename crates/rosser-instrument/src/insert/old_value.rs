//! Whether anybody sees what an atomic update has found.
//!
//! An update is an accumulation, which commutes with others like it, only if nobody sees what was there before. That is
//! decided when checks are put in: what is generic or small has been inlined by then, and what leads nowhere has been
//! removed. A function that is not inlined and returns the old value uses it.
//!
//! Locks, reference counts and channels look at what they have found, and count all the same: their state is theirs, and no
//! result of the program. They are told by the function that the instruction was written in.

use rosser_abi::names::synchronisation::{ATOMICS, COUNTERS, INTERNAL, NOT_INTERNAL};

use crate::checked::Checked;
use crate::llvm::Value;

/// Whether the old value of an update is used, so that somebody can tell which of two came first.
pub fn is_used(module: &Checked, update: Value) -> bool {
    !update.is_unused() && !maker(module, update).is_some_and(|maker| is_internal(&maker))
}

/// The function that made an atomic access: that around the wrappers of the instruction.
fn maker(module: &Checked, instruction: Value) -> Option<String> {
    let mut line = instruction.line();
    while let Some(here) = line {
        let name = here.function(module)?.name(module)?;
        let name = format!("{:#}", rustc_demangle::demangle(&name));
        let name = name.trim_start_matches('<');
        if !is_in(name, ATOMICS) {
            return Some(name.to_owned());
        }
        line = here.call();
    }
    None
}

fn is_internal(name: &str) -> bool {
    is_in(name, COUNTERS) || is_in(name, INTERNAL) && !is_in(name, NOT_INTERNAL)
}

fn is_in(name: &str, modules: &[&str]) -> bool {
    modules.iter().any(|module| {
        name.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    })
}

#[cfg(test)]
mod tests {
    use super::is_internal;

    #[test]
    fn locks_and_counts_are_told_by_their_names() {
        for name in [
            "alloc::sync::Arc<program::T> as core::ops::drop::Drop>::drop",
            "std::sys::sync::rwlock::futex::RwLock>::read_unlock",
            "std::sync::mpmc::counter::Sender<C>>::release::<F>",
        ] {
            assert!(is_internal(name), "{name}");
        }
        for name in [
            "program::take",
            "std::sync::mpmc::list::Channel<T>>::write",
            "std::syncs::f",
            "program::alloc::sync::f",
        ] {
            assert!(!is_internal(name), "{name}");
        }
    }
}
