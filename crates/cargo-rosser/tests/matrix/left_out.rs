//! Which cases notice that a kind of checks or boundaries is missing.
//!
//! For each kind there are a few, whose answer is another one without it: a conflict is missed, or one is found
//! that is none. A kind that has no case here does not compile.

use rosser_abi::checks::Kind;

use crate::case::{Case, Group};
use crate::kinds_of_checks::{self, ALLOCATOR};

/// The program that is to notice. Each kind has one of its own, so that cargo keeps them apart.
pub fn program(kind: Kind, groups: &[Group]) -> Option<Group> {
    let cases = cases(kind, groups);
    let items = if is_of_allocator(kind) { ALLOCATOR } else { "" };
    let runs_on_workers = false;
    (!cases.is_empty()).then(|| Group { name: format!("{kind:?}"), cases, items, runs_on_workers })
}

/// All these cases, with nothing left out: in two programs, since a program has but one allocator.
pub fn whole_programs(groups: &[Group]) -> [Group; 2] {
    [("whole", "", false), ("whole_allocator", ALLOCATOR, true)].map(
        |(name, items, of_allocator)| {
            let kinds = Kind::ALL.iter().filter(|kind| is_of_allocator(**kind) == of_allocator);
            let mut cases: Vec<Case> = kinds.flat_map(|kind| cases(*kind, groups)).collect();
            cases.sort_by(|one, other| one.name.cmp(&other.name));
            cases.dedup_by(|one, other| one.name == other.name);
            Group { name: name.to_owned(), cases, items, runs_on_workers: false }
        },
    )
}

fn is_of_allocator(kind: Kind) -> bool {
    matches!(kind, Kind::Allocation | Kind::Deallocation | Kind::Reallocation | Kind::Hidden)
}

/// Cases by their names; those that this processor has no instructions for are not there.
fn cases(kind: Kind, groups: &[Group]) -> Vec<Case> {
    let names = names(kind);
    assert!(!names.is_empty(), "{kind:?} is noticed by nothing");
    names.iter().filter_map(|name| find(name, groups)).collect()
}

fn find(name: &str, groups: &[Group]) -> Option<Case> {
    let (group, case) = name.split_once('/').expect("the name of a group comes first");
    let source = if group == "checks" {
        kinds_of_checks::source(case).to_owned()
    } else {
        let group = groups.iter().find(|it| it.name == group).expect("there is such a group");
        let found = group.cases.iter().find(|it| it.name == case).map(|it| it.source.clone());
        let needs_more =
            ["vectors/avx2/", "vectors/avx512"].iter().any(|set| name.starts_with(set));
        assert!(found.is_some() || needs_more, "there is no case {name}");
        found?
    };
    Some(Case::new(name.to_owned(), source))
}

fn names(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Load => &["values/join/pointer/u32/read_write/racy"],
        Kind::Store => &["values/join/pointer/u32/write_write/racy"],
        Kind::CopySource | Kind::ReadRange => &["slices/copy_out/u64/with_write/first/racy"],
        Kind::CopyDestination | Kind::WriteRange => &["slices/copy_in/u64/with_read/first/racy"],
        Kind::Fill => &["slices/write_bytes/u64/with_read/first/racy"],
        Kind::Comparison => &["slices/equal_slices/u8/with_write/first/racy"],
        Kind::CopiedArgument => &["checks/copied_argument"],
        Kind::Read1 => &["values/join/pointer/u8/read_write/racy"],
        Kind::Read2 => &["values/join/pointer/u16/read_write/racy"],
        Kind::Read4 => &["values/join/pointer/f32/read_write/racy"],
        Kind::Read8 => &["values/join/pointer/u64/read_write/racy"],
        Kind::Read16 => &["values/join/pointer/u128/read_write/racy"],
        Kind::ReadOther => &["checks/read_7_aligned"],
        Kind::ReadUnaligned => &["parts/part/3_bytes/read/first/racy"],
        Kind::Write1 => &["values/join/pointer/u8/write_write/racy"],
        Kind::Write2 => &["values/join/pointer/u16/write_write/racy"],
        Kind::Write4 => &["values/join/pointer/f32/write_write/racy"],
        Kind::Write8 => &["values/join/pointer/u64/write_write/racy"],
        Kind::Write16 => &["values/join/pointer/u128/write_write/racy"],
        Kind::WriteOther => &["checks/write_7_aligned"],
        Kind::WriteUnaligned => &["parts/part/3_bytes/write/first/racy"],
        Kind::LoopExit => &["checks/loop"],
        Kind::Row => &["slices/fill/u64/with_read/first/racy"],
        Kind::AtomicLoad => &["atomics/AtomicU32/load/plain_write"],
        Kind::AtomicStore => &["atomics/AtomicU32/store/plain_read"],
        Kind::AtomicUpdate => &["atomics/AtomicU32/fetch_add/plain_read"],
        Kind::CompareExchange => &["atomics/AtomicU32/compare_exchange/plain_read"],
        Kind::Fence => &["checks/fences"],
        Kind::VectorLoad => &["vectors/avx2/lddqu_si256/with_write/first/racy"],
        Kind::MaskedLoad => &["vectors/avx2/maskload_epi32/with_write/first/racy"],
        Kind::MaskedStore => &["vectors/avx2/maskstore_epi32/with_write/first/racy"],
        Kind::MaskedMove => &["vectors/sse2/maskmoveu_si128/with_write/first/racy"],
        Kind::Gather => &["vectors/avx2/i32gather_epi32/with_write/first/racy"],
        Kind::Scatter => &["vectors/avx512/i32scatter_epi32/with_write/first/racy"],
        Kind::ExpandingLoad => &["vectors/avx512/maskz_expandloadu_epi32/with_write/first/racy"],
        Kind::CompressingStore => {
            &["vectors/avx512/mask_compressstoreu_epi32/with_write/first/racy"]
        }
        Kind::StreamingLoad => &["vectors/avx2/stream_load_si256/with_write/first/racy"],
        Kind::StreamingStore => &["vectors/sse2/stream_si128/with_write/first/racy"],
        Kind::Allocation | Kind::Hidden => &["checks/memory_used_again"],
        Kind::Deallocation => &["checks/freed_beside_read"],
        Kind::Reallocation => &["checks/resized_beside_read"],
        Kind::LibraryCall => &["checks/strlen"],
        Kind::Join => &["ways/join/pointer/u32/write_write/racy"],
        Kind::Spawn => &["ways/scope/pointer/u32/write_write/racy"],
        Kind::ScopeEnd => &["checks/after_scope"],
        Kind::PromiseSet | Kind::PromiseGet => &["promises/promise/write_before_set"],
        Kind::Isolated => &["promises/isolated/both"],
    }
}
