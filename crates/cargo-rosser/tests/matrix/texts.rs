//! The texts of the ways to have a closure run for many items.
//!
//! In a text `{x}` is what is done for the item `i`, a `usize` that no parallel call shares, and `{m}` how the
//! closure captures.

use crate::memory::Memory;

/// A statement with a closure.
pub struct Text {
    pub name: String,
    pub statement: String,
    /// Lines before it.
    pub before: &'static [&'static str],
    /// False if there are no numbers by which calls could be told apart.
    pub has_twin: bool,
    lives: Lives,
}

/// How what the closure captures has to live.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lives {
    Briefly,
    /// So that it can be copied into many closures.
    Moved,
    Lasting,
}

impl Text {
    pub fn admits(&self, memory: Memory) -> bool {
        match self.lives {
            Lives::Briefly => true,
            Lives::Moved => memory.can_be_moved(),
            Lives::Lasting => memory.is_lasting(),
        }
    }
}

/// The one that is tried with all types.
pub static FOR_EACH: std::sync::LazyLock<Text> = std::sync::LazyLock::new(|| {
    let text = "items.par_iter().for_each({m}|&i| {x}); //~ race";
    Text { before: ITEMS, ..plain("for_each", text) }
});

const ITEMS: &[&str] = &["let mut items = items();"];
const MANY: &[&str] = &["let mut items = many_items();"];
const WAITED_FOR: &[&str] = &["let pool = pool();", "let done = Done::new();"];

fn plain(name: &str, text: &str) -> Text {
    let (name, statement) = (name.to_owned(), text.to_owned());
    Text { name, statement, before: &[], has_twin: true, lives: Lives::Briefly }
}

pub fn all() -> Vec<Text> {
    let mut texts = Vec::new();
    texts.extend(BROADCASTS.iter().map(|(name, text)| plain(name, text)));
    for (name, text) in MOVED {
        texts.push(Text { lives: Lives::Moved, ..plain(name, text) });
    }
    for (name, text) in LASTING {
        texts.push(Text { lives: Lives::Lasting, before: WAITED_FOR, ..plain(name, text) });
    }
    for (name, text) in CLOSURES.iter().chain(SOURCES) {
        texts.push(Text { before: ITEMS, ..plain(name, text) });
    }
    for (name, adaptor) in ADAPTORS {
        let (adaptor, pattern) = adaptor.split_once(" => ").unwrap_or((adaptor, "&i"));
        let text = format!("items.par_iter(){adaptor}.for_each({{m}}|{pattern}| {{x}}); //~ race");
        texts.push(Text { before: ITEMS, ..plain(name, &text) });
    }
    for (name, slices) in SLICES {
        let text = format!(
            "items.{slices}.for_each({{m}}|part| {{ let i = part.first().map_or(8, |&i| i); {{x}} }}); //~ race"
        );
        texts.push(Text { before: ITEMS, ..plain(name, &text) });
    }
    for (name, consumer) in CONSUMERS {
        let text = format!(
            "black_box(items.par_iter().map({{m}}|&i| {{ {{x}}; i }}){consumer}); //~ race"
        );
        texts.push(Text { before: ITEMS, ..plain(name, &text) });
    }
    for (name, pieces) in STRINGS {
        let text =
            format!("{pieces}.for_each({{m}}|piece| {{ let i = piece.len(); {{x}} }}); //~ race");
        texts.push(plain(name, &text));
    }
    for (name, sort) in SORTS {
        let text = format!("items.{sort}; //~ race");
        texts.push(Text { before: MANY, has_twin: false, ..plain(name, &text) });
    }
    texts
}

const BROADCASTS: &[(&str, &str)] = &[
    (
        "broadcast",
        "pool().install(|| rayon::broadcast({m}|b| { let i = b.index(); {x} })); //~ race",
    ),
    ("pool_broadcast", "pool().broadcast({m}|b| { let i = b.index(); {x} }); //~ race"),
    (
        "scope_spawn_broadcast",
        "pool().scope(|s| s.spawn_broadcast({m}|_, b| { let i = b.index(); {x} })); //~ race",
    ),
    (
        "scope_fifo_spawn_broadcast",
        "pool().scope_fifo(|s| s.spawn_broadcast({m}|_, b| { let i = b.index(); {x} })); //~ race",
    ),
];

const MOVED: &[(&str, &str)] = &[
    ("scope_loop", "rayon::scope(|s| for i in 0..8_usize { s.spawn(move |_| {x}) }); //~ race"),
    (
        "scope_fifo_loop",
        "rayon::scope_fifo(|s| for i in 0..8_usize { s.spawn_fifo(move |_| {x}) }); //~ race",
    ),
    ("finish_loop", "rosser::finish(|s| for i in 0..8_usize { s.spawn(move |_| {x}) }); //~ race"),
    (
        "procedure_loop",
        "rosser::procedure(|p| for i in 0..8_usize { p.spawn(move |_| {x}); }); //~ race",
    ),
];

const LASTING: &[(&str, &str)] = &[
    (
        "spawn_loop",
        "for i in 0..8_usize { rayon::spawn(move || { {x}; done.tick() }); } //~ race\ndone.wait(8);",
    ),
    (
        "spawn_broadcast",
        "pool.install(|| rayon::spawn_broadcast(move |b| { let i = b.index(); {x}; done.tick() })); //~ race\ndone.wait(2);",
    ),
    (
        "pool_spawn_broadcast",
        "pool.spawn_broadcast(move |b| { let i = b.index(); {x}; done.tick() }); //~ race\ndone.wait(2);",
    ),
];

/// Adaptors and consumers whose own closure is looked at.
const CLOSURES: &[(&str, &str)] = &[
    ("for_each", "items.par_iter().for_each({m}|&i| {x}); //~ race"),
    ("for_each_with", "items.par_iter().for_each_with(0, {m}|_, &i| {x}); //~ race"),
    ("for_each_init", "items.par_iter().for_each_init(|| 0, {m}|_, &i| {x}); //~ race"),
    ("try_for_each", "items.par_iter().try_for_each({m}|&i| { {x}; Some(()) }); //~ race"),
    (
        "try_for_each_with",
        "items.par_iter().try_for_each_with(0, {m}|_, &i| { {x}; Some(()) }); //~ race",
    ),
    (
        "try_for_each_init",
        "items.par_iter().try_for_each_init(|| 0, {m}|_, &i| { {x}; Ok::<(), ()>(()) }); //~ race",
    ),
    ("map", "let sum: usize = items.par_iter().map({m}|&i| { {x}; i }).sum(); //~ race"),
    (
        "map_with",
        "let sum: usize = items.par_iter().map_with(0, {m}|_, &i| { {x}; i }).sum(); //~ race",
    ),
    (
        "map_init",
        "let sum: usize = items.par_iter().map_init(|| 0, {m}|_, &i| { {x}; i }).sum(); //~ race",
    ),
    ("filter", "let count = items.par_iter().filter({m}|&&i| { {x}; i > 3 }).count(); //~ race"),
    (
        "filter_map",
        "let count = items.par_iter().filter_map({m}|&i| { {x}; Some(i) }).count(); //~ race",
    ),
    (
        "flat_map",
        "let count = items.par_iter().flat_map({m}|&i| { {x}; [i, i] }).count(); //~ race",
    ),
    (
        "flat_map_iter",
        "let count = items.par_iter().flat_map_iter({m}|&i| { {x}; [i, i] }).count(); //~ race",
    ),
    ("inspect", "let count = items.par_iter().inspect({m}|&&i| {x}).count(); //~ race"),
    (
        "update",
        "let count = items.par_iter().copied().update({m}|i| { let i = *i; {x} }).count(); //~ race",
    ),
    (
        "fold",
        "let sum: usize = items.par_iter().fold(|| 0, {m}|sum, &i| { {x}; sum + i }).sum(); //~ race",
    ),
    (
        "fold_with",
        "let sum: usize = items.par_iter().fold_with(0, {m}|sum, &i| { {x}; sum + i }).sum(); //~ race",
    ),
    (
        "fold_chunks",
        "let sum: usize = items.par_iter().fold_chunks(2, || 0, {m}|sum, &i| { {x}; sum + i }).sum(); //~ race",
    ),
    (
        "fold_chunks_with",
        "let sum: usize = items.par_iter().fold_chunks_with(2, 0, {m}|sum, &i| { {x}; sum + i }).sum(); //~ race",
    ),
    (
        "try_fold",
        "let sum: Option<usize> = items.par_iter().try_fold(|| 0, {m}|sum, &i| { {x}; Some(sum + i) }).sum(); //~ race",
    ),
    (
        "try_fold_with",
        "let sum: Option<usize> = items.par_iter().try_fold_with(0, {m}|sum, &i| { {x}; Some(sum + i) }).sum(); //~ race",
    ),
    (
        "reduce",
        "let least = items.par_iter().copied().reduce(|| 8, {m}|a, b| { let i = a.min(b); {x}; i }); //~ race",
    ),
    (
        "reduce_with",
        "let least = items.par_iter().copied().reduce_with({m}|a, b| { let i = a.min(b); {x}; i }); //~ race",
    ),
    (
        "try_reduce",
        "let least = items.par_iter().map(|&i| Some(i)).try_reduce(|| 8, {m}|a, b| { let i = a.min(b); {x}; Some(i) }); //~ race",
    ),
    (
        "try_reduce_with",
        "let least = items.par_iter().map(|&i| Some(i)).try_reduce_with({m}|a, b| { let i = a.min(b); {x}; Some(i) }); //~ race",
    ),
    (
        "min_by",
        "let least = items.par_iter().min_by({m}|a, b| { let i = **a.min(b); {x}; a.cmp(b) }); //~ race",
    ),
    (
        "max_by",
        "let most = items.par_iter().max_by({m}|a, b| { let i = **a.min(b); {x}; a.cmp(b) }); //~ race",
    ),
    ("min_by_key", "let least = items.par_iter().min_by_key({m}|&&i| { {x}; i }); //~ race"),
    ("max_by_key", "let most = items.par_iter().max_by_key({m}|&&i| { {x}; i }); //~ race"),
    ("any", "let any = items.par_iter().any({m}|&i| { {x}; i > 99 }); //~ race"),
    ("all", "let all = items.par_iter().all({m}|&i| { {x}; i < 99 }); //~ race"),
    ("find_any", "let found = items.par_iter().find_any({m}|&&i| { {x}; i > 99 }); //~ race"),
    ("find_first", "let found = items.par_iter().find_first({m}|&&i| { {x}; i > 99 }); //~ race"),
    ("find_last", "let found = items.par_iter().find_last({m}|&&i| { {x}; i > 99 }); //~ race"),
    (
        "find_map_any",
        "let found = items.par_iter().find_map_any({m}|&i| { {x}; None::<u8> }); //~ race",
    ),
    (
        "find_map_first",
        "let found = items.par_iter().find_map_first({m}|&i| { {x}; None::<u8> }); //~ race",
    ),
    (
        "find_map_last",
        "let found = items.par_iter().find_map_last({m}|&i| { {x}; None::<u8> }); //~ race",
    ),
    (
        "position_any",
        "let found = items.par_iter().position_any({m}|&i| { {x}; i > 99 }); //~ race",
    ),
    (
        "position_first",
        "let found = items.par_iter().position_first({m}|&i| { {x}; i > 99 }); //~ race",
    ),
    (
        "position_last",
        "let found = items.par_iter().position_last({m}|&i| { {x}; i > 99 }); //~ race",
    ),
    (
        "positions",
        "let count = items.par_iter().positions({m}|&i| { {x}; true }).count(); //~ race",
    ),
    (
        "while_some",
        "let count = items.par_iter().map({m}|&i| { {x}; Some(i) }).while_some().count(); //~ race",
    ),
    (
        "take_any_while",
        "let count = items.par_iter().take_any_while({m}|&&i| { {x}; true }).count(); //~ race",
    ),
    (
        "skip_any_while",
        "let count = items.par_iter().skip_any_while({m}|&&i| { {x}; true }).count(); //~ race",
    ),
    (
        "partition",
        "let (a, b): (Vec<usize>, Vec<usize>) = items.par_iter().partition({m}|&&i| { {x}; i > 3 }); //~ race",
    ),
    (
        "partition_map",
        "let (a, b): (Vec<_>, Vec<_>) = items.par_iter().partition_map({m}|&i| { {x}; if i > 3 { Either::Left(i) } else { Either::Right(i) } }); //~ race",
    ),
    (
        "par_extend",
        "let mut more = Vec::new();\nmore.par_extend(items.par_iter().map({m}|&i| { {x}; i })); //~ race",
    ),
    (
        "par_extend_map",
        "let mut more = HashMap::new();\nmore.par_extend(items.par_iter().map({m}|&i| { {x}; (i, i) })); //~ race",
    ),
    (
        "par_extend_string",
        "let mut more = String::new();\nmore.par_extend(items.par_iter().map({m}|&i| { {x}; 'a' })); //~ race",
    ),
];

/// Adaptors that only pass items on, with the pattern of their items if it is not `&i`.
const ADAPTORS: &[(&str, &str)] = &[
    ("zip", ".zip(&[0; 8]) => (&i, _)"),
    ("zip_eq", ".zip_eq(&[0; 8]) => (&i, _)"),
    ("enumerate", ".enumerate() => (i, _)"),
    ("chain", ".chain(&[8, 9])"),
    ("rev", ".rev()"),
    ("skip", ".skip(2)"),
    ("take", ".take(6)"),
    ("step_by", ".step_by(2)"),
    ("interleave", ".interleave(&[8, 9, 10])"),
    ("interleave_shortest", ".interleave_shortest(&[8, 9, 10])"),
    ("intersperse", ".intersperse(&9).enumerate() => (i, _)"),
    ("chunks", ".chunks(2).enumerate() => (i, _)"),
    ("panic_fuse", ".panic_fuse()"),
    ("cloned", ".cloned() => i"),
    ("copied", ".copied() => i"),
    ("flatten", ".map(|&i| [i]).flatten() => i"),
    ("flatten_iter", ".map(|&i| Some(i)).flatten_iter() => i"),
    ("with_min_len", ".with_min_len(2)"),
    ("with_max_len", ".with_max_len(2)"),
    ("by_exponential_blocks", ".by_exponential_blocks()"),
    ("by_uniform_blocks", ".by_uniform_blocks(4)"),
    ("map_before", ".map(|&i| i) => i"),
    ("filter_before", ".filter(|&&i| i < 6)"),
    ("filter_map_before", ".filter_map(|i| Some(i))"),
    ("flat_map_before", ".flat_map(|&i| [i]) => i"),
    ("flat_map_iter_before", ".flat_map_iter(|&i| [i]) => i"),
    ("fold_before", ".fold(|| 0, |sum, i| sum + i) => i"),
    ("map_init_before", ".map_init(|| 0, |_, &i| i) => i"),
    ("inspect_before", ".inspect(|_| ())"),
    ("update_before", ".copied().update(|i| *i += 1) => i"),
    ("positions_before", ".positions(|_| true) => i"),
    ("while_some_before", ".map(|&i| Some(i)).while_some() => i"),
    ("take_any_while_before", ".take_any_while(|_| true)"),
];

/// Parts of a slice.
const SLICES: &[(&str, &str)] = &[
    ("par_chunks", "par_chunks(2)"),
    ("par_chunks_mut", "par_chunks_mut(2)"),
    ("par_chunks_exact", "par_chunks_exact(2)"),
    ("par_chunks_exact_mut", "par_chunks_exact_mut(2)"),
    ("par_rchunks", "par_rchunks(2)"),
    ("par_rchunks_mut", "par_rchunks_mut(2)"),
    ("par_rchunks_exact", "par_rchunks_exact(2)"),
    ("par_rchunks_exact_mut", "par_rchunks_exact_mut(2)"),
    ("par_windows", "par_windows(2)"),
    ("par_array_windows", "par_array_windows::<2>()"),
    ("par_split", "par_split(|i| i % 2 == 1)"),
    ("par_split_mut", "par_split_mut(|i| i % 2 == 1)"),
    ("par_split_inclusive", "par_split_inclusive(|i| i % 2 == 1)"),
    ("par_split_inclusive_mut", "par_split_inclusive_mut(|i| i % 2 == 1)"),
    ("par_chunk_by", "par_chunk_by(|a, b| a / 2 == b / 2)"),
    ("par_chunk_by_mut", "par_chunk_by_mut(|a, b| *a / 2 == *b / 2)"),
];

/// What comes after a `map` whose closure is looked at.
const CONSUMERS: &[(&str, &str)] = &[
    ("map_collect", ".collect::<Vec<usize>>()"),
    ("map_collect_box", ".collect::<Box<[usize]>>()"),
    ("map_collect_deque", ".collect::<VecDeque<usize>>()"),
    ("map_collect_list", ".collect::<LinkedList<usize>>()"),
    ("map_collect_set", ".collect::<BTreeSet<usize>>()"),
    ("map_collect_hash", ".map(|i| (i, i)).collect::<HashMap<usize, usize>>()"),
    ("map_collect_option", ".map(Some).collect::<Option<Vec<usize>>>()"),
    ("map_collect_result", ".map(Ok::<usize, ()>).collect::<Result<Vec<usize>, ()>>()"),
    ("map_collect_into_vec", ".collect_into_vec(&mut Vec::new())"),
    ("map_collect_vec_list", ".collect_vec_list()"),
    ("map_unzip", ".map(|i| (i, i)).unzip::<_, _, Vec<_>, Vec<_>>()"),
    ("map_unzip_into_vecs", ".map(|i| (i, i)).unzip_into_vecs(&mut Vec::new(), &mut Vec::new())"),
    ("map_partition", ".partition::<Vec<_>, Vec<_>, _>(|i| i % 2 == 0)"),
    ("map_reduce", ".reduce(|| 0, |a, b| a + b)"),
    ("map_reduce_with", ".reduce_with(|a, b| a + b)"),
    ("map_sum", ".sum::<usize>()"),
    ("map_product", ".product::<usize>()"),
    ("map_min", ".min()"),
    ("map_max", ".max()"),
    ("map_count", ".count()"),
    ("map_cmp", ".cmp(items.par_iter().copied())"),
    ("map_partial_cmp", ".partial_cmp(items.par_iter().copied())"),
    ("map_eq", ".eq(items.par_iter().copied())"),
    ("map_ne", ".ne(items.par_iter().copied())"),
    ("map_lt", ".lt(items.par_iter().copied())"),
    ("map_le", ".le(items.par_iter().copied())"),
    ("map_gt", ".gt(items.par_iter().copied())"),
    ("map_ge", ".ge(items.par_iter().copied())"),
    ("map_find_any", ".find_any(|&i| i > 99)"),
    ("map_max_by_key", ".max_by_key(|&i| i)"),
    ("map_fold", ".fold(|| 0, |sum, i| sum + i).collect::<Vec<_>>()"),
    ("map_zip", ".zip(&items).count()"),
    ("map_rev", ".rev().collect::<Vec<_>>()"),
    ("map_chunks", ".chunks(3).count()"),
];

/// Two conflicts of the same instructions are one finding, whoever called the function that has them. So the
/// counters of `take_any` and `skip_any` are not found for every caller.
const SOURCES: &[(&str, &str)] = &[
    ("iter_mut", "items.par_iter_mut().for_each({m}|i| { let i = *i; {x} }); //~ race"),
    ("into_iter", "items.into_par_iter().for_each({m}|i| {x}); //~ race"),
    ("slice", "(&items[..6]).into_par_iter().for_each({m}|&i| {x}); //~ race"),
    ("boxed_slice", "items.into_boxed_slice().into_par_iter().for_each({m}|i| {x}); //~ race"),
    ("array", "[0_usize, 1, 2, 3].into_par_iter().for_each({m}|i| {x}); //~ race"),
    ("range", "(0..8_usize).into_par_iter().for_each({m}|i| {x}); //~ race"),
    ("range_inclusive", "(0..=7_usize).into_par_iter().for_each({m}|i| {x}); //~ race"),
    (
        "range_u8",
        "(0..8_u8).into_par_iter().for_each({m}|i| { let i = i as usize; {x} }); //~ race",
    ),
    (
        "range_i64",
        "(0..8_i64).into_par_iter().for_each({m}|i| { let i = i as usize; {x} }); //~ race",
    ),
    (
        "range_u128",
        "(0..8_u128).into_par_iter().for_each({m}|i| { let i = i as usize; {x} }); //~ race",
    ),
    (
        "range_char",
        "('a'..'h').into_par_iter().for_each({m}|i| { let i = i as usize - 97; {x} }); //~ race",
    ),
    (
        "hash_map",
        "HashMap::<usize, u8>::from_iter([(1, 1), (2, 2), (3, 3)]).par_iter().for_each({m}|(&i, _)| {x}); //~ race",
    ),
    (
        "hash_map_mut",
        "HashMap::<usize, u8>::from_iter([(1, 1), (2, 2), (3, 3)]).par_iter_mut().for_each({m}|(&i, _)| {x}); //~ race",
    ),
    (
        "hash_set",
        "HashSet::<usize>::from_iter([1, 2, 3]).into_par_iter().for_each({m}|i| {x}); //~ race",
    ),
    (
        "btree_map",
        "BTreeMap::<usize, u8>::from_iter([(1, 1), (2, 2), (3, 3)]).par_iter().for_each({m}|(&i, _)| {x}); //~ race",
    ),
    (
        "btree_set",
        "BTreeSet::<usize>::from_iter([1, 2, 3]).par_iter().for_each({m}|&i| {x}); //~ race",
    ),
    (
        "binary_heap",
        "BinaryHeap::<usize>::from_iter([1, 2, 3]).par_iter().for_each({m}|&i| {x}); //~ race",
    ),
    (
        "linked_list",
        "LinkedList::<usize>::from_iter([1, 2, 3]).par_iter().for_each({m}|&i| {x}); //~ race",
    ),
    (
        "vec_deque",
        "VecDeque::<usize>::from_iter([1, 2, 3]).par_iter().for_each({m}|&i| {x}); //~ race",
    ),
    ("option", "Some(1_usize).into_par_iter().chain(Some(2)).for_each({m}|i| {x}); //~ race"),
    (
        "result",
        "Ok::<usize, ()>(1).into_par_iter().chain(Ok::<usize, ()>(2)).for_each({m}|i| {x}); //~ race",
    ),
    (
        "once",
        "rayon::iter::once(1_usize).chain(rayon::iter::once(2)).for_each({m}|i| {x}); //~ race",
    ),
    ("repeat", "rayon::iter::repeat(()).take(8).enumerate().for_each({m}|(i, _)| {x}); //~ race"),
    ("repeat_n", "rayon::iter::repeat_n((), 8).enumerate().for_each({m}|(i, _)| {x}); //~ race"),
    (
        "split",
        "rayon::iter::split(0..8_usize, |r| { let half = r.start.midpoint(r.end); if r.len() < 2 { (r, None) } else { (r.start..half, Some(half..r.end)) } }).for_each({m}|r| { let i = r.start; {x} }); //~ race",
    ),
    (
        "walk_tree",
        "rayon::iter::walk_tree(1_usize, |&i| [2 * i, 2 * i + 1].into_iter().filter(|&i| i < 16)).for_each({m}|i| {x}); //~ race",
    ),
    (
        "walk_tree_prefix",
        "rayon::iter::walk_tree_prefix(1_usize, |&i| [2 * i, 2 * i + 1].into_iter().filter(|&i| i < 16)).for_each({m}|i| {x}); //~ race",
    ),
    (
        "walk_tree_postfix",
        "rayon::iter::walk_tree_postfix(1_usize, |&i| [2 * i, 2 * i + 1].into_iter().filter(|&i| i < 16)).for_each({m}|i| {x}); //~ race",
    ),
    ("multizip", "(&items, &items).into_par_iter().for_each({m}|(&i, _)| {x}); //~ race"),
    ("par_drain", "items.par_drain(..).for_each({m}|i| {x}); //~ race"),
    ("par_drain_deque", "VecDeque::from(items).par_drain(..).for_each({m}|i| {x}); //~ race"),
    (
        "par_drain_map",
        "HashMap::<usize, u8>::from_iter([(1, 1), (2, 2), (3, 3)]).par_drain().for_each({m}|(i, _)| {x}); //~ race",
    ),
    (
        "par_drain_string",
        "String::from(\"abcd\").par_drain(..).for_each({m}|i| { let i = i as usize - 97; {x} }); //~ race",
    ),
    (
        "par_chars",
        "\"abcd\".par_chars().for_each({m}|i| { let i = i as usize - 97; {x} }); //~ race",
    ),
    (
        "par_bytes",
        "\"abcd\".par_bytes().for_each({m}|i| { let i = i as usize - 97; {x} }); //~ race",
    ),
    ("par_char_indices", "\"abcd\".par_char_indices().for_each({m}|(i, _)| {x}); //~ race"),
    (
        "par_encode_utf16",
        "\"abcd\".par_encode_utf16().for_each({m}|i| { let i = i as usize - 97; {x} }); //~ race",
    ),
    (
        "par_match_indices",
        "\"abababab\".par_match_indices('a').for_each({m}|(i, _)| {x}); //~ race",
    ),
    ("arc_slice", "Arc::<[usize]>::from(items).par_iter().for_each({m}|&i| {x}); //~ race"),
    (
        "nested",
        "items.par_iter().for_each({m}|&i| (0..1_u8).into_par_iter().for_each({m}|_| if i < 99 { {x} })); //~ race",
    ),
    ("in_install", "pool().install(|| items.par_iter().for_each({m}|&i| {x})); //~ race"),
    ("take_any", "items.par_iter().take_any(6).for_each({m}|&i| {x}); //~ race, may order"),
    ("skip_any", "items.par_iter().skip_any(2).for_each({m}|&i| {x}); //~ race, may order"),
    ("par_bridge", "items.iter().par_bridge().for_each({m}|&i| {x}); //~ may race, order"),
];

/// Pieces of a text, each of another length.
const STRINGS: &[(&str, &str)] = &[
    ("par_lines", "\"a\\nbb\\nccc\\ndddd\".par_lines()"),
    ("par_split_char", "\"a,bb,ccc,dddd\".par_split(',')"),
    ("par_split_closure", "\"a,bb,ccc,dddd\".par_split(|c| c == ',')"),
    ("par_split_inclusive_char", "\"a,bb,ccc,ddddd\".par_split_inclusive(',')"),
    ("par_split_terminator", "\"a,bb,ccc,dddd,\".par_split_terminator(',')"),
    ("par_split_whitespace", "\"a bb ccc dddd\".par_split_whitespace()"),
    ("par_split_ascii_whitespace", "\"a bb ccc dddd\".par_split_ascii_whitespace()"),
];

const SORTS: &[(&str, &str)] = &[
    ("par_sort_by", "par_sort_by({m}|a, b| { let i = *a; {x}; a.cmp(b) })"),
    ("par_sort_by_key", "par_sort_by_key({m}|&i| { {x}; i })"),
    ("par_sort_by_cached_key", "par_sort_by_cached_key({m}|&i| { {x}; i })"),
    ("par_sort_unstable_by", "par_sort_unstable_by({m}|a, b| { let i = *a; {x}; a.cmp(b) })"),
    ("par_sort_unstable_by_key", "par_sort_unstable_by_key({m}|&i| { {x}; i })"),
];
