//! Structured futures, as the oracle has them, and detectors that admit no others.
//!
//! Whether a future is structured shows only when a program runs. What a detector refuses is left out of the run, which
//! gives a run of another program: on that the detector has to be right.

use rosser_detect::hash::Map;
use rosser_detect::oracle::Oracle;
use rosser_detect::{
    Construct, Detail, Detector, DetectorKind, Event, Item, PromiseId, StepId, TaskId, TaskKind,
    Trace,
};
use rustc_hash::FxHashSet;

/// The futures of a run.
#[derive(Default)]
pub struct Futures {
    /// With the step that followed their creation.
    created: Map<TaskId, StepId>,
    got: FxHashSet<TaskId>,
}

impl Futures {
    /// The oracle has just heard that a future was created.
    pub fn create(&mut self, future: TaskId, oracle: &Oracle) {
        self.created.insert(future, oracle.current_step());
    }

    /// Whether a task is a future.
    pub fn has(&self, task: TaskId) -> bool {
        self.created.contains_key(&task)
    }

    /// Whether the current step follows what the creator of a future did next.
    pub fn follows_creation(&self, future: TaskId, oracle: &Oracle) -> bool {
        let (created, now) = (self.created[&future], oracle.current_step());
        created == now || oracle.precedes(created, now)
    }

    /// A future is got. Returns whether it is for the first time.
    pub fn get(&mut self, future: TaskId) -> bool {
        self.got.insert(future)
    }
}

/// Whether a detector looks at futures while a program runs, and refuses some.
pub fn is_choosy(kind: DetectorKind) -> bool {
    kind.admits(Construct::Future) && !kind.admits(Construct::Unstructured)
}

/// Replays a trace, in which the only promises are those of futures, for a detector that [`is_choosy`]. Returns the
/// trace without the gets that it has refused: those that are not structured.
pub fn replay(trace: &Trace, detector: &mut dyn Detector) -> Result<Trace, String> {
    let (mut admitted, mut oracle) = (Trace::new(), Oracle::new(Detail::Locations));
    let mut futures = Futures::default();
    let mut task_of: Map<PromiseId, TaskId> = Map::default();
    let mut current = TaskId::MAIN;
    for item in trace.items() {
        let event = match *item {
            Item::Event(event) => event,
            Item::Access(location, access, site) => {
                detector.access(location, access, site);
                admitted.access(location, access, site);
                continue;
            }
        };
        let is_structured = match event {
            Event::Get { promise } => {
                let future = task_of[&promise];
                futures.follows_creation(future, &oracle) && futures.get(future)
            }
            _ => true,
        };
        detector.event(event);
        let refused = detector.refused();
        if refused.is_some() == is_structured {
            return Err(format!("says {refused:?} to {event:?} of {current:?}"));
        }
        if !is_structured {
            continue;
        }
        oracle.event(event);
        admitted.event(event);
        match event {
            Event::Fork { child, kind: TaskKind::Future } => futures.create(child, &oracle),
            Event::Switch { to } => current = to,
            Event::Set { promise } => drop(task_of.insert(promise, current)),
            _ => {}
        }
    }
    Ok(admitted)
}

/// How many gets there are in a trace.
pub fn gets(trace: &Trace) -> u64 {
    let is_get = |item: &&Item| matches!(item, Item::Event(Event::Get { .. }));
    trace.items().iter().filter(is_get).count() as u64
}
