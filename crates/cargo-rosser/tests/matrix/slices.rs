//! What is done to many elements at once: copied, filled, compared, swapped, summed up.

use crate::case::Case;
use crate::snippets::Snippet;

/// Expressions that access the elements 0 to 15 of `p`, and no other.
const EXPRESSIONS: &[(&str, &str, Does)] = &[
    (
        "copy_in",
        "unsafe { std::ptr::copy_nonoverlapping([1; 16].as_ptr(), p.get(), 16) }",
        Does::Writes,
    ),
    (
        "copy_out",
        "unsafe { let mut own = [0; 16]; std::ptr::copy_nonoverlapping(p.get(), own.as_mut_ptr(), 16); own }",
        Does::Reads,
    ),
    ("copy_within_range", "unsafe { std::ptr::copy(p.get(), p.at(1), 15) }", Does::Writes),
    ("copy_within", "p.part(0, 16).copy_within(0..8, 8)", Does::Writes),
    ("copy_from_slice", "p.part(0, 16).copy_from_slice(&[1; 16])", Does::Writes),
    ("clone_from_slice", "p.part(0, 16).clone_from_slice(&[1; 16])", Does::Writes),
    (
        "copy_to_own",
        "{ let mut own = [0; 16]; own.copy_from_slice(p.part(0, 16)); own }",
        Does::Reads,
    ),
    ("to_vec", "p.part(0, 16).to_vec()", Does::Reads),
    (
        "extend_from_slice",
        "{ let mut own = Vec::new(); own.extend_from_slice(p.part(0, 16)); own }",
        Does::Reads,
    ),
    ("fill", "p.part(0, 16).fill(1)", Does::Writes),
    ("write_bytes", "unsafe { std::ptr::write_bytes(p.get(), 1, 16) }", Does::Writes),
    ("swap", "p.part(0, 16).swap(0, 15)", Does::Writes),
    (
        "mem_swap",
        "{ let (left, right) = p.part(0, 16).split_at_mut(8); std::mem::swap(&mut left[0], &mut right[7]) }",
        Does::Writes,
    ),
    ("mem_replace", "std::mem::replace(&mut p.part(0, 16)[15], 1)", Does::Writes),
    ("mem_take", "std::mem::take(&mut p.part(0, 16)[15])", Does::Writes),
    ("ptr_swap", "unsafe { std::ptr::swap(p.get(), p.at(15)) }", Does::Writes),
    ("swap_with_slice", "p.part(0, 16).swap_with_slice(&mut [1; 16])", Does::Writes),
    ("reverse", "p.part(0, 16).reverse()", Does::Writes),
    ("rotate_left", "p.part(0, 16).rotate_left(3)", Does::Writes),
    ("equal", "*p.part(0, 16) == [0; 16]", Does::Reads),
    ("equal_slices", "p.part(0, 16) == black_box(&mut [0; 16][..])", Does::Reads),
    ("starts_with", "p.part(0, 16).starts_with(&black_box([0; 16]))", Does::Reads),
    ("compare", "p.part(0, 16).cmp(&black_box(&mut [0; 16][..]))", Does::Reads),
    ("sum", "p.part(0, 16).iter().map(|&part| part as u64).sum::<u64>()", Does::Reads),
    ("max", "p.part(0, 16).iter().copied().max()", Does::Reads),
    ("is_sorted", "p.part(0, 16).is_sorted()", Does::Reads),
    ("last", "*p.part(0, 16).last().unwrap()", Does::Reads),
    ("increment", "for part in p.part(0, 16) { *part += 1 }", Does::Writes),
    ("increment_by_index", "for i in 0..16 { unsafe { *p.at(i) += 1 } }", Does::Writes),
    (
        "zip",
        "for (part, new) in p.part(0, 16).iter_mut().zip(black_box([1; 16])) { *part += new }",
        Does::Writes,
    ),
    ("array_out", "unsafe { *p.cast::<[T; 16]>().get() }", Does::Reads),
    ("array_in", "unsafe { *p.cast().get() = black_box([1_T; 16]) }", Does::Writes),
    ("write", "unsafe { p.at(15).write(1) }", Does::Writes),
    ("write_unaligned", "unsafe { p.at(15).write_unaligned(1) }", Does::Writes),
    ("write_volatile", "unsafe { p.at(15).write_volatile(1) }", Does::Writes),
    ("read", "unsafe { p.at(15).read() }", Does::Reads),
    ("read_unaligned", "unsafe { p.at(15).read_unaligned() }", Does::Reads),
    ("read_volatile", "unsafe { p.at(15).read_volatile() }", Does::Reads),
    (
        "read_wide_unaligned",
        "unsafe { p.cast::<u8>().at(WIDTH).cast::<[T; 15]>().read_unaligned() }",
        Does::Reads,
    ),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Does {
    Reads,
    Writes,
}

pub fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    for (ty, width) in [("u8", "1"), ("u16", "2"), ("u32", "4"), ("u64", "8")] {
        for (name, expression, does) in EXPRESSIONS {
            let expression = expression.replace("WIDTH", width).replace("1_T", &format!("1_{ty}"));
            let expression = expression.replace("[T;", &format!("[{ty};"));
            let before =
                format!("let mut buffer = [0_{ty}; 32];\nlet p = Pointer(buffer.as_mut_ptr());");
            let write = |index| format!("unsafe {{ *p.at({index}) = 1 }}");
            let snippet = Snippet {
                name: format!("{name}/{ty}/with_write"),
                before,
                expression,
                others: [write(15), write(16)],
                feature: None,
            };
            cases.extend(snippet.cases());
            if *does == Does::Writes {
                let read = |index| format!("unsafe {{ *p.at({index}) }}");
                let name = format!("{name}/{ty}/with_read");
                let snippet = Snippet { name, others: [read(15), read(16)], ..snippet };
                cases.extend(snippet.cases());
            }
        }
    }
    cases
}
