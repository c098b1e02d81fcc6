//! What moves things from one owner to the next is not checked.
//!
//! A parallel iterator is split by a function of rayon's that calls itself through `join_context`, down to single
//! items. What that function and `join` do to memory is to move parts of the iterator and closures from the stack
//! of one task to that of the next: things that have one owner, and nobody else an address of. The runtime's own
//! functions do not look at what they do themselves, either. But these are generic, become part of the
//! checked program, and a program with many small tasks would spend its time with them.
//!
//! They are told by the function that the debug information names, and marked before anything is inlined or moved:
//! then every instruction is still of the function that it was written in. The marks travel with the debug
//! information ([`Marks`]); what the optimiser makes of a marked instruction and another one has none. So what
//! the items' own functions do stays checked, whatever it is inlined into, merged with or moved to.

use rosser_abi::names::passing_on::{AT_WORK, FOR, PASSING_ON, SPLIT, SPLITTING};
use rustc_hash::FxHashMap;

use crate::insert::Unchecked;
use crate::insert::allocations::is_of_allocator;
use crate::llvm::{Block, Marks, Module, Opcode, Subprogram, Value};

/// Marks the accesses of functions that only pass things on.
pub fn mark(module: &Module) -> Marks<'_> {
    let marks = Marks::new(module);
    let mut known = FxHashMap::default();
    for around in module.functions() {
        let instructions = around.blocks().flat_map(Block::instructions);
        for instruction in instructions.filter(|it| moves(*it)) {
            let line = instruction.line().or_else(|| around.line_of_entry());
            let Some(line) = line else { continue };
            let Some(function) = line.function(module) else { continue };
            let mut is_passing_on =
                |function| *known.entry(function).or_insert_with(|| passes_on(module, function));
            if is_passing_on(function) {
                marks.mark(instruction, &line, &mut is_passing_on);
            }
        }
    }
    marks
}

impl Unchecked for Marks<'_> {
    fn has(&self, _function: Value, instruction: Value) -> bool {
        Marks::has(self, instruction)
    }

    fn hides(&self, function: Value) -> bool {
        is_of_allocator(function)
    }
}

/// Whether an instruction reads, writes or copies, or calls a function that does, and only passes things on.
fn moves(instruction: Value) -> bool {
    match instruction.opcode() {
        Opcode::Load | Opcode::Store => true,
        Opcode::Call | Opcode::Invoke => instruction.callee().is_some_and(|callee| {
            let name = callee.name();
            name.starts_with("llvm.memcpy.")
                || name.starts_with("llvm.memmove.")
                || is_passing_on(&demangled(name))
        }),
        _ => false,
    }
}

fn demangled(name: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(name))
}

fn passes_on(module: &Module, function: Subprogram) -> bool {
    let Some(name) = function.name(module) else { return false };
    is_passing_on(&demangled(&name))
}

fn is_passing_on(name: &str) -> bool {
    let is_own = name.starts_with("<rayon::")
        && name.rsplit("::").next().is_some_and(|last| SPLITTING.contains(&last));
    let name = name.trim_start_matches('<');
    is_own && SPLIT.iter().any(|of_trait| is_part_of_impl(name, of_trait))
        || PASSING_ON.iter().any(|prefix| name.starts_with(prefix))
        || AT_WORK.iter().any(|prefix| name.starts_with(prefix)) && name.contains(FOR)
}

/// Whether what the name begins with is the implementation of a trait, and no argument of another.
fn is_part_of_impl(name: &str, of_trait: &str) -> bool {
    let depth = |text: &str| {
        let opened = text.matches('<').count();
        opened.checked_sub(text.replace("->", "").matches('>').count())
    };
    name.match_indices(of_trait).any(|(at, _)| depth(&name[..at]) == Some(0))
}

#[cfg(test)]
mod tests {
    use super::is_passing_on;

    #[test]
    fn functions_are_told_by_their_own_names() {
        let helper = "rayon::iter::plumbing::bridge_producer_consumer::helper";
        for name in [
            &format!("{helper}::<P, C>::{{closure#0}}"),
            "rayon_core::join::join_context::<A, B>::{closure#0}",
            "<rayon_core::job::Job<F, R>>::run",
            "std::panicking::catch_unwind::do_call::<<rayon_core::job::Job<F, R>>::run::{closure#0}, R>",
            "core::ptr::drop_in_place::<rayon_core::job::Job<F, R>>",
            "core::ptr::read::<<rayon_core::job::Job<F, R>>::run::{closure#0}>",
            "<rayon::iter::plumbing::LengthSplitter>::try_split",
            "<rayon::iter::zip::ZipProducer<rayon::slice::IterProducer<u8>, B> as \
             rayon::iter::plumbing::Producer>::split_at",
            "<rayon::iter::for_each::ForEachConsumer<F> as \
             rayon::iter::plumbing::UnindexedConsumer<T>>::split_off_left",
        ] {
            assert!(is_passing_on(name), "{name}");
        }
        for name in [
            &format!("program::run::<{helper}>"),
            "rayon::iter::plumbing::Folder::consume_iter",
            "std::panic::catch_unwind::<program::f>",
            "core::ptr::read::<program::T>",
            "program::rayon_core::job::f",
            "<program::Own as rayon::iter::plumbing::Producer>::split_at",
            "<rayon::iter::for_each::ForEachConsumer<F> as rayon::iter::plumbing::Folder<T>>::consume",
            "<rayon::iter::map::MapProducer<P, F> as rayon::iter::plumbing::Producer>::fold_with::<F>",
            "<rayon::vec::Drain<<program::Own as rayon::iter::plumbing::Producer>::Item> as \
             core::ops::drop::Drop>::drop",
        ] {
            assert!(!is_passing_on(name), "{name}");
        }
    }
}
