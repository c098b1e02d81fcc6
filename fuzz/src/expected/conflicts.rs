//! What the detector tells of conflicts.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rosser_detect::Class;

use crate::layout::{Layout, STEPS, WORDS};
use crate::observed::Observed;

/// The worst class of the conflicts at a location; in [`Layout::Steps`], where the location stands for
/// the first access, of those with the second in the given group.
pub type Worst = BTreeMap<(usize, usize), Class>;

/// What was heard of one run.
#[derive(Clone, Debug)]
pub struct Heard {
    /// The worst class of the conflicts of each kind.
    pub worst: Worst,
    /// A conflict that is at no location.
    pub elsewhere: Option<Observed>,
    /// Whether the detector has left something out, so that classes may be too mild.
    pub is_crowded: bool,
    /// How many conflicts there were.
    pub conflicts: u64,
}

/// The detector may call in the middle of anything, so nothing here allocates.
struct Listener {
    base: usize,
    layout: Layout,
    /// The group that accesses are in now.
    group: usize,
    worst: [[Option<Class>; STEPS]; STEPS],
    elsewhere: Option<Observed>,
    conflicts: u64,
    crowded: u64,
    crowded_before: u64,
}

static LISTENER: Mutex<Listener> = Mutex::new(Listener {
    base: 0,
    layout: Layout::Words,
    group: 0,
    worst: [[None; STEPS]; STEPS],
    elsewhere: None,
    conflicts: 0,
    crowded: 0,
    crowded_before: 0,
});

fn listener() -> MutexGuard<'static, Listener> {
    LISTENER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A run begins. Its locations are in the given layout from `base` on.
#[inline(never)]
pub fn listen(base: *const u8, layout: Layout) {
    let mut listener = listener();
    listener.base = base as usize;
    listener.layout = layout;
    listener.group = 0;
    listener.worst = [[None; STEPS]; STEPS];
    listener.elsewhere = None;
    listener.conflicts = 0;
    listener.crowded_before = listener.crowded;
}

/// The accesses that follow are in the given group.
pub(crate) fn begin_group(group: usize) {
    listener().group = group;
}

/// To be given to the detector.
pub extern "C" fn observe(observed: &Observed) {
    let mut listener = listener();
    listener.conflicts += 1;
    listener.crowded = observed.crowded;
    let class = if observed.is_data_race { Class::DataRace } else { Class::OrderDependent };
    let offset = observed.word.wrapping_sub(listener.base);
    let mut is_elsewhere = true;
    let group = listener.group;
    if offset < WORDS * 8 {
        for location in listener.layout.locations(offset, observed.bytes) {
            is_elsewhere = false;
            let worst = &mut listener.worst[location][group];
            *worst = Some(worst.map_or(class, |worst| worst.max(class)));
        }
    }
    if is_elsewhere {
        listener.elsewhere.get_or_insert(*observed);
    }
}

/// What was heard since the run began.
pub fn heard() -> Heard {
    let listener = listener();
    let mut worst = Worst::new();
    for (location, groups) in listener.worst.iter().enumerate() {
        for (group, class) in groups.iter().enumerate() {
            worst.extend(class.map(|class| ((location, group), class)));
        }
    }
    Heard {
        worst,
        elsewhere: listener.elsewhere,
        is_crowded: listener.crowded > listener.crowded_before,
        conflicts: listener.conflicts,
    }
}
