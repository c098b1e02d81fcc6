//! The pen with which the generators write: it sends events and accesses to a detector as they
//! come into being, gives out dense ids and keeps the stack of tasks that a depth-first executor
//! would have, so that no trace need ever be held in memory.

use rosser_detect::{
    Access, Detector, Event, LocId, PromiseId, ScopeKind, SiteId, TaskId, TaskKind,
};

/// The place all reads are said to come from.
const READ_SITE: SiteId = SiteId(0);
/// The place all writes are said to come from.
const WRITE_SITE: SiteId = SiteId(1);

/// Tells a detector an execution. With `ACCESSES` off, accesses are left out at compile time: the
/// rest is the same trace, and what it takes is the price of the task events alone.
pub struct Emitter<'d, D, const ACCESSES: bool> {
    detector: &'d mut D,
    /// The tasks on the worker's stack, the running one last.
    stack: Vec<TaskId>,
    tasks: usize,
    promises: usize,
    counts: Counts,
}

/// How long a trace is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Task events, switches included.
    pub events: u64,
    /// How many accesses were told.
    pub accesses: u64,
}

impl<'d, D: Detector, const ACCESSES: bool> Emitter<'d, D, ACCESSES> {
    /// A pen at the start of the main task.
    pub fn new(detector: &'d mut D) -> Self {
        Self {
            detector,
            stack: vec![TaskId::MAIN],
            tasks: 1,
            promises: 0,
            counts: Counts::default(),
        }
    }

    /// Ends the main task, and with it the trace.
    pub fn finish(mut self) -> Counts {
        assert_eq!(self.stack, [TaskId::MAIN], "every task has ended");
        self.event(Event::End);
        self.counts
    }

    fn event(&mut self, event: Event) {
        self.counts.events += 1;
        self.detector.event(event);
    }

    /// Creates a task and runs it at once.
    pub fn fork(&mut self, kind: TaskKind) -> TaskId {
        let child = TaskId::from_index(self.tasks);
        self.tasks += 1;
        self.event(Event::Fork { child, kind });
        self.run(child);
        child
    }

    /// Runs a waiting task. The running one is put aside until that has ended or blocked.
    pub fn run(&mut self, task: TaskId) {
        self.stack.push(task);
        self.event(Event::Switch { to: task });
    }

    /// Ends the running task; whoever ran it goes on.
    pub fn end(&mut self) {
        self.event(Event::End);
        self.go_back();
    }

    /// Has the running task wait; whoever ran it goes on.
    pub fn block(&mut self) {
        self.event(Event::Block);
        self.go_back();
    }

    fn go_back(&mut self) {
        self.stack.pop();
        let to = *self.stack.last().expect("the main task neither blocks nor ends here");
        self.event(Event::Switch { to });
    }

    /// Opens a join scope.
    pub fn begin(&mut self, kind: ScopeKind) {
        self.event(Event::ScopeBegin { kind });
    }

    /// Closes a join scope.
    pub fn close(&mut self, kind: ScopeKind) {
        self.event(Event::ScopeEnd { kind });
    }

    /// Makes promises, with consecutive ids; returns the first. It is no event.
    pub fn promises(&mut self, count: u32) -> PromiseId {
        let first = PromiseId::from_index(self.promises);
        self.promises += count as usize;
        first
    }

    /// Sets a promise.
    pub fn set(&mut self, promise: PromiseId) {
        self.event(Event::Set { promise });
    }

    /// Goes on after getting a promise.
    pub fn get(&mut self, promise: PromiseId) {
        self.event(Event::Get { promise });
    }

    /// Reads a location.
    #[inline]
    pub fn read(&mut self, location: LocId) {
        if ACCESSES {
            self.counts.accesses += 1;
            self.detector.access(location, Access::Read, READ_SITE);
        }
    }

    /// Writes a location.
    #[inline]
    pub fn write(&mut self, location: LocId) {
        if ACCESSES {
            self.counts.accesses += 1;
            self.detector.access(location, Access::Write, WRITE_SITE);
        }
    }
}
