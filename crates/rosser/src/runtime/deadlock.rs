//! Finding out that nothing can go on, and saying so.
//!
//! Whenever a worker has stopped its last turn and some task is blocked, it asks whether there is
//! any turn left anywhere (see [`home`](super::home)). If not, no task can ever set what the blocked
//! ones wait for: each is woken with the same report and panics out of its `get`. Tasks that wait
//! for a finish are not woken; their tasks end now, and so do they.
//!
//! The answer is about all tasks of the process. A deadlock among some of them is found when the
//! others have come to rest.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use super::home::Homes;
use super::wait::{Places, Wait};

/// How many different places a report names.
const NAMED: usize = 12;

/// A report, shared by the tasks it is about.
#[derive(Debug)]
pub(crate) struct Deadlock {
    text: String,
    /// One of the tasks panics aloud, the others unwind quietly: it is one deadlock.
    told: AtomicBool,
}

impl Deadlock {
    fn new(blocked: &[Arc<Wait>]) -> Arc<Self> {
        Arc::new(Self { text: describe(blocked), told: AtomicBool::new(false) })
    }

    /// Leaves the `get` that cannot succeed.
    pub(crate) fn unwind(&self) -> ! {
        if self.told.swap(true, Relaxed) {
            std::panic::resume_unwind(Box::new(self.text.clone()));
        }
        std::panic::panic_any(self.text.clone())
    }
}

/// Called by a worker that has nothing to do any more.
#[cold]
pub(super) fn check() {
    let homes = Homes::lock();
    if !homes.quiescent() {
        return;
    }
    let mut blocked = homes.blocked();
    blocked.retain(|wait| !wait.is_claimed());
    drop(homes);
    if blocked.is_empty() {
        return;
    }
    let deadlock = Deadlock::new(&blocked);
    for wait in blocked {
        wait.wake(Some(&deadlock));
    }
}

fn describe(blocked: &[Arc<Wait>]) -> String {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for wait in blocked {
        let Places { waits_at, made_at } = wait.places;
        *places
            .entry(format!("{waits_at} waits for the promise made at {made_at}"))
            .or_default() += 1;
    }
    let mut text = format!(
        "deadlock: {} blocked, and no other task is left that could set what {} for",
        plural(blocked.len(), "task is", "tasks are"),
        if blocked.len() == 1 { "it waits" } else { "they wait" },
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
        "\n  (is it set by something that is no task? Then make it with `Promise::outside`)",
    );
    text
}

fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
