//! A trace with its accesses replaced so that every pair of steps is asked about.
//!
//! Each step reads what every earlier step wrote, then writes a location of its own. A detector
//! checks each such read against the one write, so it must report exactly the pairs of parallel
//! steps: one program tests its whole reachability relation, not just the pairs that happen to
//! access the same variable.

use rosser_core::{Access, Event, Item, LocId, SiteId, Trace};

/// Steps beyond this many get no accesses: the number of pairs grows with the square.
const MAX_STEPS: u32 = 40;

/// The saturated form of a trace.
pub fn saturate(trace: &Trace) -> Trace {
    let mut saturated = Trace::new();
    let mut steps = 0;
    let mut ended = false;
    touch_all(&mut saturated, &mut steps);
    for item in trace.items() {
        if let Item::Event(event) = *item {
            saturated.event(event);
            ended = match event {
                Event::End | Event::Block => true,
                Event::Switch { .. } => false,
                _ => ended,
            };
            if !ended {
                touch_all(&mut saturated, &mut steps);
            }
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
