//! What there is to say when nobody can go on.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use crate::place::Place;
use crate::runtime::Unseen;

/// How many different places a report names.
const NAMED: usize = 12;

/// The two places a wait is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    /// Where the waiting is done.
    pub(crate) waits_at: Place,
    /// Where that which is waited for was made.
    pub(crate) made_at: Place,
}

/// A report, shared by the tasks it is about.
#[derive(Debug)]
pub(crate) struct Deadlock {
    text: String,
    /// One of the tasks panics aloud, the others unwind quietly: it is one deadlock.
    told: AtomicBool,
}

impl Deadlock {
    /// Of tasks that wait at the given places.
    pub(super) fn new(blocked: impl ExactSizeIterator<Item = Places>) -> Arc<Self> {
        let _unseen = Unseen::begin();
        Arc::new(Self { text: describe(blocked), told: AtomicBool::new(false) })
    }

    /// Who waits where.
    pub(crate) fn report(&self) -> &str {
        &self.text
    }

    /// Leaves the `get` that cannot succeed.
    ///
    /// Takes its reference along: giving it up is not for the detector to see.
    #[cfg_attr(rosser, inline(never))]
    pub(crate) fn unwind(self: Arc<Self>) -> ! {
        let unseen = Unseen::begin();
        let text = self.text.clone();
        unseen.end();
        let is_told = self.told.swap(true, Relaxed);
        drop(self);
        if is_told {
            std::panic::resume_unwind(Box::new(text));
        }
        std::panic::panic_any(text)
    }
}

fn describe(blocked: impl ExactSizeIterator<Item = Places>) -> String {
    let count = blocked.len();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for Places { waits_at, made_at } in blocked {
        *places
            .entry(format!("{waits_at} waits for the promise made at {made_at}"))
            .or_default() += 1;
    }
    let mut text = format!(
        "deadlock: {} blocked, and no other task is left that could set what {} for",
        plural(count, "task is", "tasks are"),
        if count == 1 { "it waits" } else { "they wait" },
    );
    for (place, &count) in places.iter().take(NAMED) {
        let times = if count == 1 { String::new() } else { format!(" ({count} tasks)") };
        let _ = write!(text, "\n  {place}{times}");
    }
    if places.len() > NAMED {
        let _ =
            write!(text, "\n  and {}", plural(places.len() - NAMED, "more place", "more places"));
    }
    text.push_str(
        "\n  (is it set by something that is no task? Then it has to be made an outside promise)",
    );
    text
}

fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
