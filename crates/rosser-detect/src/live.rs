//! Detectors inside a running program.
//!
//! A trace has locations that are there from the beginning to the end, and is judged when it is over.
//! In a program memory is used again for something else, what was one variable is later accessed in
//! parts, and a conflict is to be reported while the tasks are there that made it. The algorithms of
//! the papers can do all that; this is what they are asked for.

use crate::detector::Detector;
use crate::findings::Race;
use crate::ids::LocId;

/// A detector that can be run inside a program.
pub trait LiveDetector: Detector {
    /// The location's memory is going to be used for something else, or not at all: what was
    /// accessed there so far is of no interest any more.
    fn forget(&mut self, location: LocId);

    /// A location turns out to be two: `new`, which was not accessed before or was forgotten, has the
    /// same history from now on.
    fn split(&mut self, location: LocId, new: LocId);

    /// Hands out the conflicts that were found since the last call.
    fn take_races(&mut self, races: &mut Vec<Race>);
}

#[cfg(test)]
mod tests {
    use super::LiveDetector;
    use crate::event::{Access, Event, ScopeKind, TaskKind};
    use crate::findings::Detail;
    use crate::ids::{LocId, SiteId, TaskId};
    use crate::registry::{DetectorKind, build};

    const BEGIN: Event = Event::ScopeBegin { kind: ScopeKind::SyncBlock };
    const END: Event = Event::ScopeEnd { kind: ScopeKind::SyncBlock };

    /// The sites of the conflicts when one task writes the first location and the next writes both,
    /// with something done in between.
    fn races(
        kind: DetectorKind,
        between: impl FnOnce(&mut dyn LiveDetector),
    ) -> Vec<(u32, u32, u32)> {
        let mut detector = build(kind, Detail::Conflicts).expect("it is one of a paper");
        detector.event(BEGIN);
        let mut between = Some(between);
        for task in 1..=2 {
            detector.event(Event::Fork { child: TaskId(task), kind: TaskKind::Spawn });
            detector.event(Event::Switch { to: TaskId(task) });
            detector.access(LocId(0), Access::Write, SiteId(task));
            if task == 2 {
                detector.access(LocId(1), Access::Write, SiteId(task));
            }
            detector.event(Event::End);
            detector.event(Event::Switch { to: TaskId::MAIN });
            if let Some(between) = between.take() {
                between(detector.as_mut());
            }
        }
        detector.event(END);
        let mut races = Vec::new();
        detector.take_races(&mut races);
        let (mut again, count) = (Vec::new(), races.len());
        detector.take_races(&mut again);
        assert!(again.is_empty(), "{count} races were taken before");
        races.iter().map(|race| (race.location.0, race.first.site.0, race.second.site.0)).collect()
    }

    #[test]
    fn what_is_forgotten_conflicts_with_nothing() {
        for kind in DetectorKind::of_papers() {
            assert_eq!(races(kind, |_| ()), [(0, 1, 2)], "{kind:?}");
            assert_eq!(races(kind, |detector| detector.forget(LocId(0))), [], "{kind:?}");
        }
    }

    #[test]
    fn both_parts_of_a_location_have_its_history() {
        for kind in DetectorKind::of_papers() {
            let split = races(kind, |detector| detector.split(LocId(0), LocId(1)));
            assert_eq!(split, [(0, 1, 2), (1, 1, 2)], "{kind:?}");
        }
    }

    #[test]
    fn a_sync_joins_what_the_called_procedure_has_spawned_and_no_more() {
        for kind in DetectorKind::of_papers() {
            let mut detector = build(kind, Detail::Conflicts).expect("it is one of a paper");
            let spawn = |detector: &mut dyn LiveDetector, task: u32, location: u32| {
                detector.event(Event::Fork { child: TaskId(task), kind: TaskKind::Spawn });
                detector.event(Event::Switch { to: TaskId(task) });
                detector.access(LocId(location), Access::Write, SiteId(task));
                detector.event(Event::End);
                detector.event(Event::Switch { to: TaskId::MAIN });
            };
            detector.event(BEGIN);
            spawn(detector.as_mut(), 1, 0);
            detector.event(BEGIN);
            spawn(detector.as_mut(), 2, 1);
            detector.event(END);
            detector.access(LocId(0), Access::Read, SiteId(3));
            detector.access(LocId(1), Access::Read, SiteId(3));
            detector.event(END);
            detector.access(LocId(0), Access::Write, SiteId(4));
            let mut races = Vec::new();
            detector.take_races(&mut races);
            let places: Vec<_> =
                races.iter().map(|race| (race.location.0, race.second.site.0)).collect();
            assert_eq!(places, [(0, 3)], "{kind:?}");
        }
    }
}
