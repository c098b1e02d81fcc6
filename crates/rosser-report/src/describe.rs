//! The sentences about a finding that all formats share.

use crate::finding::{AccessKind, Class, Finding, Object, Via, place, user_place};
use crate::frame::{Frame, Origin};
use crate::group::Group;
use crate::names;
use crate::numbers::{counted, grouped};
use crate::promises;
use crate::symbols::FrameTable;
use crate::tasks::{self, Tasks};

/// A finding in words.
#[derive(Debug)]
pub struct Description {
    /// What happened, in one line.
    pub title: String,
    /// What to say at the first place.
    pub first: String,
    /// What to say at the second place.
    pub second: String,
    /// The object: which variable or heap block, and which bytes of it.
    pub accessed: String,
    /// Who made the accesses, and what is around both.
    pub tasks: Tasks,
    /// What ordered the two, if anything.
    pub ordering: String,
    /// The promises by which the two could have been ordered.
    pub promises: Vec<String>,
    /// How often it happened besides, if it did.
    pub more: Option<String>,
}

impl Description {
    pub fn new(group: &Group, table: &FrameTable) -> Description {
        let finding = &group.example;
        let tasks = Tasks::new(finding, table);
        let later = if finding.first_exact { "" } else { " here or further on," };
        Description {
            title: title(finding, table),
            first: format!(
                "first: {}{later} by {}",
                finding.first_kind.name(),
                tasks::short(&tasks.first)
            ),
            second: format!(
                "second: {} by {}",
                finding.second_kind.name(),
                tasks::short(&tasks.second)
            ),
            accessed: accessed(finding, table),
            ordering: ordering(finding, table),
            promises: promises::sentences(finding, table),
            more: more(group),
            tasks,
        }
    }
}

fn title(finding: &Finding, table: &FrameTable) -> String {
    let kinds = match (finding.first_kind, finding.second_kind) {
        (AccessKind::Write, AccessKind::Write) => "two writes to".to_owned(),
        (first, second) if first == second => format!("two {}s of", first.name()),
        (first, second) => format!("{} and {} of", with_article(first), with_article(second)),
    };
    let object = object(finding, table);
    match finding.class {
        Class::DataRace => format!("{kinds} {object} by parallel tasks"),
        Class::OrderDependent => {
            format!("the schedule decides the order of {kinds} {object}")
        }
    }
}

fn with_article(kind: AccessKind) -> String {
    let article = if kind.is_atomic() { "an" } else { "a" };
    format!("{article} {}", kind.name())
}

/// The object in the words of a title: `a heap block`.
fn object(finding: &Finding, table: &FrameTable) -> String {
    match &finding.object {
        Object::Heap { .. } => "a heap block".to_owned(),
        Object::Stack { frame } => match owner(finding, *frame, table) {
            Some(owner) => {
                format!("a local variable of `{}`", names::without_closures(&owner.shown))
            }
            None => "a local variable".to_owned(),
        },
        Object::OtherStack => "a local variable of the main task".to_owned(),
        Object::Static { name, .. } => format!("the static `{name}`"),
        Object::Unknown { .. } => "the same memory".to_owned(),
    }
}

/// The object in full.
fn accessed(finding: &Finding, table: &FrameTable) -> String {
    let bytes = counted(finding.size, "byte");
    match &finding.object {
        Object::Heap { offset, size, allocation } => {
            let block = format!(
                "{bytes} at offset {} of a {}-byte heap block",
                grouped(*offset),
                grouped(*size)
            );
            match place(allocation.iter().flat_map(|at| table.frames(*at))) {
                Some(frame) => format!("{block} allocated at {}", frame.at()),
                None => block,
            }
        }
        Object::Stack { .. } | Object::OtherStack | Object::Static { offset: 0, .. } => {
            format!("{bytes} of {}", object(finding, table))
        }
        Object::Static { offset, .. } => {
            format!("{bytes} at offset {} of {}", grouped(*offset), object(finding, table))
        }
        Object::Unknown { address } => {
            format!("{bytes} at {address:#x}, in memory that Rosser did not see allocated")
        }
    }
}

/// The function that a local variable belongs to: the outermost of those inlined into one another,
/// which is the one that is there in the compiled program.
fn owner<'a>(finding: &Finding, frame: usize, table: &'a FrameTable) -> Option<&'a Frame> {
    let frames = table.frames(*finding.stack.get(frame)?);
    frames.iter().rfind(|frame| frame.origin == Origin::User).or(frames.last())
}

/// Why an order that was seen is no comfort.
const OTHERWISE: &str = "another schedule may reverse them";

fn ordering(finding: &Finding, table: &FrameTable) -> String {
    let at = |address| user_place(address, table);
    match finding.via {
        Via::Nothing if finding.class == Class::DataRace => "nothing orders the two".to_owned(),
        Via::Nothing => format!("they exclude each other, but nothing orders them; {OTHERWISE}"),
        Via::ReleaseAcquire | Via::HiddenRelease => {
            let acquired = match at(finding.acquire) {
                Some(place) => format!("what the second task acquired at {place}"),
                None => "a lock or flag that the second task acquired".to_owned(),
            };
            let released = match at(finding.release) {
                Some(place) => format!(" and the first released at {place}"),
                None => String::new(),
            };
            format!("ordered in this run by {acquired}{released}; {OTHERWISE}")
        }
        Via::Atomic if is_two_updates(finding) => format!(
            "both are atomic, but nothing orders them, and they do not commute: they differ, or an old value is used; {OTHERWISE}"
        ),
        Via::Atomic => format!("both are atomic, but nothing orders them; {OTHERWISE}"),
        Via::SameWorker => format!(
            "both tasks asked which worker they run on, and it was the same; on different workers \
             nothing orders them, and {OTHERWISE}"
        ),
    }
}

fn is_two_updates(finding: &Finding) -> bool {
    [finding.first_kind, finding.second_kind] == [AccessKind::AtomicUpdate; 2]
}

fn more(group: &Group) -> Option<String> {
    let others = group.count.saturating_sub(1);
    let objects = group.objects() as u64;
    (others > 0).then(|| match objects {
        0 | 1 => format!("{} more at the same places", grouped(others)),
        _ => format!(
            "{} more at the same places, on {} objects in all",
            grouped(others),
            grouped(objects)
        ),
    })
}
