//! The two tasks of a finding, in the words of someone who writes rayon programs, or others with tasks.
//!
//! Of a task the runtime knows how it was spawned and the address of that call. The call is often
//! deep inside rayon, which splits an iterator by nested joins that the user has never heard of; the
//! user's own call, `.for_each(…)`, is then further out in the stack. That stack is known for the
//! second access only, so a task of the first is told by it where both were spawned by the same call.

use crate::finding::{Finding, Task, TaskKind};
use crate::frame::{Frame, Origin};
use crate::names;
use crate::numbers::grouped;
use crate::symbols::FrameTable;

/// A task in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskWords {
    /// How it came about.
    pub short: String,
    /// The user's call that spawned it.
    pub at: Option<String>,
}

/// What stands before the name of a parallel iterator's function.
const PARALLEL: &str = " the parallel ";

impl TaskWords {
    /// Whether it is an item of the iterator that the other is a part of.
    fn is_item_of(&self, other: &TaskWords) -> bool {
        let iterator =
            |words: &TaskWords| words.short.split_once(PARALLEL).map(|of| of.1.to_owned());
        (self.short.starts_with("item ") || self.short.starts_with("an item"))
            && self.at == other.at
            && iterator(other).is_some_and(|of| iterator(self) == Some(of))
    }

    fn long(&self) -> String {
        match &self.at {
            Some(at) => format!("{} at {at}", self.short),
            None => self.short.clone(),
        }
    }
}

/// Both tasks and where they part.
#[derive(Debug)]
pub struct Tasks {
    /// The first access's task and those around it, innermost first, without the common ancestor.
    pub first: Vec<TaskWords>,
    /// The same for the second access.
    pub second: Vec<TaskWords>,
    /// The task that both descend from.
    pub common: String,
}

impl Tasks {
    pub fn new(finding: &Finding, table: &FrameTable) -> Tasks {
        let chain = |tasks: &[Task]| {
            let mut words: Vec<TaskWords> =
                tasks.iter().map(|task| words(task, finding, table)).collect();
            // The nested joins of one iterator are one task to its user, and so is an item of it.
            words.dedup_by(|outer, inner| outer == inner || inner.is_item_of(outer));
            words
        };
        Tasks {
            first: chain(&finding.first_tasks),
            second: chain(&finding.second_tasks),
            common: common(finding, table),
        }
    }
}

/// The task that made an access, briefly.
pub fn short(chain: &[TaskWords]) -> String {
    chain.first().map_or_else(|| "the common parent itself".to_owned(), |task| task.short.clone())
}

/// The task that made an access, with those around it.
pub fn long(chain: &[TaskWords]) -> String {
    match chain {
        [] => "the common parent itself".to_owned(),
        [only] => only.long(),
        [inner, outer] => format!("{}, inside {}", inner.long(), outer.long()),
        [inner, middle @ .., outer] => format!(
            "{}, inside {} further, inside {}",
            inner.long(),
            crate::numbers::counted(middle.len() as u64, "task"),
            outer.long()
        ),
    }
}

fn words(task: &Task, finding: &Finding, table: &FrameTable) -> TaskWords {
    let call = call(task, finding, table);
    let entry = call.as_ref().and_then(|call| call.entry);
    let short = match entry {
        Some(entry) if entry.krate() == "rayon" => {
            let of = names::last_segment(&entry.path);
            match task.kind {
                TaskKind::Item(number) => format!("{} of{PARALLEL}`{of}`", item(number)),
                _ => format!("a part of{PARALLEL}`{of}`"),
            }
        }
        Some(entry) if entry.krate() == "rosser" => {
            format!("the task of `{}`", names::last_segment(&entry.path))
        }
        // In C the call itself stands in the program.
        None if task.kind == TaskKind::ScopeSpawn && call.as_ref().is_some_and(is_c) => {
            "a spawned task".to_owned()
        }
        _ => {
            let name = entry.map(|entry| names::last_segment(&entry.path));
            by_kind(task.kind, name)
        }
    };
    TaskWords { short, at: call.map(|call| call.user.at()) }
}

fn is_c(call: &Call<'_>) -> bool {
    names::krate(&call.user.path).is_none()
}

fn by_kind(kind: TaskKind, entry: Option<&str>) -> String {
    let name = |expected: &str| match entry {
        Some(entry) if entry.starts_with(expected) => entry.to_owned(),
        _ => expected.to_owned(),
    };
    match kind {
        TaskKind::JoinFirst => format!("the first closure of `{}`", name("join")),
        TaskKind::JoinSecond => format!("the second closure of `{}`", name("join")),
        TaskKind::ScopeSpawn => format!("the closure of a scope's `{}`", name("spawn")),
        TaskKind::Detached => format!("the closure of `rayon::{}`", name("spawn")),
        TaskKind::Broadcast => format!("one call of `{}`", name("broadcast")),
        TaskKind::Item(number) => format!("{} of a parallel loop", item(number)),
        TaskKind::Unknown => "a task".to_owned(),
    }
}

fn item(number: Option<u64>) -> String {
    number.map_or_else(|| "an item".to_owned(), |number| format!("item {}", grouped(number)))
}

/// The user's call behind a spawn.
struct Call<'a> {
    /// Where the user called.
    user: &'a Frame,
    /// What the user called.
    entry: Option<&'a Frame>,
}

fn call<'a>(task: &Task, finding: &'a Finding, table: &'a FrameTable) -> Option<Call<'a>> {
    let spawned_at = task.spawned_at?;
    // Inlined, the call's own address tells all.
    if let Some(call) = user_call(table.frames(spawned_at).iter()) {
        return Some(call);
    }
    let frame = task.frame.or_else(|| {
        let same_call = |other: &&Task| other.spawned_at == Some(spawned_at);
        finding.second_tasks.iter().rfind(same_call)?.frame
    })?;
    user_call(finding.second_frames(table).filter(|(index, _)| *index >= frame).map(|(_, f)| f))
}

/// The innermost frame of the user, and the library's function that it called.
fn user_call<'a>(frames: impl Iterator<Item = &'a Frame>) -> Option<Call<'a>> {
    let mut entry = None;
    for frame in frames {
        match frame.origin {
            Origin::User => return Some(Call { user: frame, entry }),
            Origin::Sync => entry = Some(frame),
            Origin::Runtime | Origin::Library => {}
        }
    }
    None
}

fn common(finding: &Finding, table: &FrameTable) -> String {
    let task = match finding.common_depth {
        0 => "the main task".to_owned(),
        1 => "a task of the outermost parallel call".to_owned(),
        depth => format!("a task nested {} deep", grouped(depth)),
    };
    let outermost = finding.second_tasks.last().or(finding.first_tasks.last());
    let place = outermost.and_then(|task| call(task, finding, table));
    match place {
        Some(call) => format!("{task}, in `{}`", names::without_closures(&call.user.shown)),
        None => task,
    }
}

#[cfg(test)]
mod tests;
