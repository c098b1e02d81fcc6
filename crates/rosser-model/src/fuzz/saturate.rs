//! A trace with its accesses replaced so that every pair of steps is asked about.
//!
//! Each step reads what every earlier step wrote, then writes a location of its own. A detector
//! checks each such read against the one write, so it must report exactly the pairs of parallel
//! steps: one program tests its whole reachability relation, not just the pairs that happen to
//! access the same variable.

use rosser_detect::{Access, Event, Item, LocId, SiteId, TaskId, Trace};
use rustc_hash::FxHashSet;

/// Steps beyond this many get no accesses: the number of pairs grows with the square.
const MAX_STEPS: u32 = 40;

/// The saturated form of a trace. As in a real run, nothing happens between an event and a switch
/// that follows it at once, nor between the resumption of a task and the end of its wait.
pub fn saturate(trace: &Trace) -> Trace {
    let events: Vec<Event> = trace
        .items()
        .iter()
        .filter_map(|item| match item {
            Item::Event(event) => Some(*event),
            Item::Access(..) => None,
        })
        .collect();
    let mut saturated = Trace::new();
    let mut steps = 0;
    let mut current = TaskId::MAIN;
    let mut blocked = FxHashSet::default();
    for (index, event) in events.iter().enumerate() {
        saturated.event(*event);
        let mut waits = false;
        match event {
            Event::Block => {
                blocked.insert(current);
            }
            Event::Switch { to } => {
                current = *to;
                waits = blocked.remove(to);
            }
            _ => {}
        }
        let stays = !waits
            && match events.get(index + 1) {
                Some(next) => !matches!(next, Event::Switch { .. } | Event::Block),
                None => !matches!(event, Event::End | Event::Block),
            };
        if stays {
            touch_all(&mut saturated, &mut steps);
        }
    }
    saturated
}

/// The current step reads all that was written and writes something new.
fn touch_all(trace: &mut Trace, steps: &mut u32) {
    if *steps < MAX_STEPS {
        let site = SiteId(*steps);
        for earlier in 0..*steps {
            trace.access(LocId(earlier), Access::Read, site);
        }
        trace.access(LocId(*steps), Access::Write, site);
        *steps += 1;
    }
}
