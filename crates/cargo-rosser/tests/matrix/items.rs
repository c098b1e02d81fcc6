//! Every way to have a closure run for many items in parallel: broadcasts, and parallel iterators with their
//! adaptors, consumers and sources.

use crate::case::{Case, without_races};
use crate::memory::{Access, Memory};
use crate::texts::{self, Text};
use crate::values::{self, Value};

/// What the tasks do to a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Half of them write, the others read.
    Some,
    /// All of them write.
    Write,
    /// All of them read and write.
    Update,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Some, Self::Write, Self::Update];

    fn name(self) -> &'static str {
        match self {
            Self::Some => "some_write",
            Self::Write => "all_write",
            Self::Update => "all_update",
        }
    }

    fn accesses(self) -> &'static [Access] {
        match self {
            Self::Some => &[Access::Read, Access::Write],
            Self::Write => &[Access::Write],
            Self::Update => &[Access::Update],
        }
    }
}

/// All texts, with a variable of one type, each in some of the memories.
pub fn all_texts() -> Vec<Case> {
    let value = values::usual();
    let mut cases = Vec::new();
    for (number, text) in texts::all().iter().enumerate() {
        let memories: Vec<Memory> =
            Memory::ALL.into_iter().filter(|memory| text.admits(*memory)).collect();
        for (turn, kind) in Kind::ALL.into_iter().enumerate() {
            let memory = memories[(number + 2 * turn) % memories.len()];
            cases.extend(text.cases(memory, kind, &value));
        }
    }
    cases
}

/// One text, with variables of all types in every memory.
pub fn all_values() -> Vec<Case> {
    let mut cases = Vec::new();
    for value in &values::all() {
        for memory in Memory::ALL {
            for kind in Kind::ALL {
                let both = texts::FOR_EACH.cases(memory, kind, value);
                cases.extend(both);
            }
        }
    }
    cases
}

impl Text {
    /// A case in which all items access the same variable, and one in which each has its own.
    fn cases(&self, memory: Memory, kind: Kind, value: &Value) -> impl Iterator<Item = Case> {
        let name = format!("{}/{}/{}/{}", self.name, memory.name(), value.name, kind.name());
        let racy = self.source(memory, kind, value, None);
        let clean = without_races(&self.source(memory, kind, value, Some("i")));
        let racy = Case::new(format!("{name}/racy"), racy);
        let clean = self.has_twin.then(|| Case::new(format!("{name}/clean"), clean));
        [racy].into_iter().chain(clean)
    }

    fn source(&self, memory: Memory, kind: Kind, value: &Value, index: Option<&str>) -> String {
        let mut source = memory.types(value, kind.accesses());
        if self.statement.contains("//~ may race") {
            source = source.replace("//~ race", "//~ may race");
        }
        source += &match index {
            Some(_) => memory.declare_many("c", value),
            None => memory.declare("c", value),
        };
        for line in self.before {
            source += line;
            source += "\n";
        }
        let access = |access| memory.access(access, "c", index, &value.others[0], value);
        let does = match kind {
            Kind::Write => access(Access::Write),
            Kind::Update => access(Access::Update),
            Kind::Some => {
                let (write, read) = (access(Access::Write), access(Access::Read));
                format!("if i % 2 == 0 {{ {write} }} else {{ drop(black_box({read})) }}")
            }
        };
        let text = self.statement.replace("{x}", &does).replace("{m}", memory.capture());
        source += &text;
        source += "\n";
        source += &memory.use_of("c");
        source
    }
}
