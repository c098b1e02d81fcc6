//! Atomic operations of every width, beside plain accesses and beside each other.

use crate::case::Case;

/// An atomic type, the plain one, and two values that differ in all that operations look at.
const TYPES: &[(&str, &str, &str, &str)] = &[
    ("AtomicU8", "u8", "0", "1"),
    ("AtomicU16", "u16", "0", "1"),
    ("AtomicU32", "u32", "0", "1"),
    ("AtomicU64", "u64", "0", "1"),
    ("AtomicI64", "i64", "0", "1"),
    ("AtomicUsize", "usize", "0", "1"),
    ("AtomicBool", "bool", "false", "true"),
];

/// An operation, as text in which `old` and `new` are values.
struct Operation {
    name: &'static str,
    text: &'static str,
    does: Does,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Does {
    Load,
    /// Writes, and the order of two such writes decides.
    Write,
    /// Updates by an operator that commutes with itself.
    Commute,
    /// The same, but numbers only.
    CommuteNumbers,
}

const OPERATIONS: &[Operation] = &[
    operation("load", "a.load(Ordering::Relaxed)", Does::Load),
    operation("load_acquire", "a.load(Ordering::Acquire)", Does::Load),
    operation("store", "a.store(new, Ordering::Relaxed)", Does::Write),
    operation("store_release", "a.store(new, Ordering::Release)", Does::Write),
    operation("swap", "a.swap(new, Ordering::SeqCst)", Does::Write),
    operation(
        "compare_exchange",
        "a.compare_exchange(old, new, Ordering::SeqCst, Ordering::Relaxed)",
        Does::Write,
    ),
    operation(
        "fetch_update",
        "a.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |_| Some(new))",
        Does::Write,
    ),
    operation("fetch_nand", "a.fetch_nand(new, Ordering::Relaxed)", Does::Write),
    operation("fetch_or", "a.fetch_or(new, Ordering::Relaxed)", Does::Commute),
    operation("fetch_xor", "a.fetch_xor(new, Ordering::Relaxed)", Does::Commute),
    operation("fetch_add", "a.fetch_add(new, Ordering::Relaxed)", Does::CommuteNumbers),
    operation("fetch_sub", "a.fetch_sub(new, Ordering::SeqCst)", Does::CommuteNumbers),
    operation("fetch_max", "a.fetch_max(5, Ordering::Relaxed)", Does::CommuteNumbers),
    operation("fetch_min", "a.fetch_min(5, Ordering::Relaxed)", Does::CommuteNumbers),
];

const fn operation(name: &'static str, text: &'static str, does: Does) -> Operation {
    Operation { name, text, does }
}

pub fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    for ty in TYPES {
        for operation in OPERATIONS {
            if operation.does == Does::CommuteNumbers && ty.1 == "bool" {
                continue;
            }
            cases.extend(operation.cases(ty));
        }
    }
    cases
}

impl Operation {
    fn cases(&self, (atomic, plain, old, new): &(&str, &str, &str, &str)) -> Vec<Case> {
        // Whatever is done changes the value.
        let initial = if self.name == "fetch_min" { "7" } else { old };
        let text = self.text.replace("old", old).replace("new", new);
        let before = format!(
            "let mut a = atomic::{atomic}::new({initial});\nlet p = Pointer(a.as_ptr());\n\
             let b = atomic::{atomic}::new({initial});"
        );
        let case = |with: &str, first: &str, second: &str, mark: &str| {
            let name = format!("{atomic}/{}/{with}", self.name);
            let source = format!(
                "{before}\nlet seen = rayon::join(\n    || {first},{mark}\n    || {second},{mark}\n);\n\
                 black_box(seen);\nblack_box((&a, &b));"
            );
            Case::new(name, source)
        };
        let write: &str = &format!("unsafe {{ *p.get() = {new} as {plain} }}");
        let (read, load) = ("unsafe { *p.get() }", "a.load(Ordering::Relaxed)");
        let (race, order) = (" //~ race", " //~ order");
        let is_load = self.does == Does::Load;
        // With `true` it negates.
        let does_commute =
            self.does != Does::Write || (self.name == "fetch_nand" && *plain == "bool");
        let with_itself = if does_commute { "" } else { order };
        // Updates commute if nobody uses what they have found.
        let unused = format!("{{ {text}; }}");
        let itself = if does_commute && !is_load { &unused } else { &text };
        vec![
            case("plain_write", &text, write, race),
            case("after_plain_write", write, &text, race),
            case("plain_read", &text, read, if is_load { "" } else { race }),
            case("after_plain_read", read, &text, if is_load { "" } else { race }),
            case("load", &text, load, if is_load { "" } else { order }),
            case("after_load", load, &text, if is_load { "" } else { order }),
            case("itself", itself, itself, with_itself),
            case("other", &text, &text.replace("a.", "b."), ""),
        ]
    }
}
