//! `MultiBags`: R. Utterback, K. Agrawal, J. Fineman and I-T. A. Lee, *Efficient Race Detection with Futures*,
//! `PPoPP` 2019, Section 4: what SF-Order is measured against.
//!
//! * **Program class**: fork-join (spawn and sync, async and finish) with structured futures, executed depth-first. A
//!   future is *structured* if it is got at most once, by a task that follows what its creator did next.
//! * **Guarantee**: a race on a location is reported if and only if one exists in some schedule of this input
//!   (Theorem 4.2 there). A get that is not structured is refused, and the answers are those of the run without it.
//! * **Cost**: an access makes one find in a disjoint-set forest, amortised O(α); a write one more for each reader
//!   since the last write. A location keeps all of these readers, each task once; O(1) space per task.
//!
//! SP-bags puts what has ended into the P-bag of whoever will join it. Who gets a future is not known when it ends, so
//! each future keeps its bag to itself, as a P-bag, until it is got: then it becomes part of the getter's S-bag. One
//! reader does not stand for another here: a later get may order one of them before what is to come and not the
//! other.
//!
//! # Where this differs from the paper
//! 1. In the paper a future that nobody gets is never joined. In Rosser the scope that it was started in waits for it,
//!    and takes its bag. Tasks may outlive their parents, as in ESP-bags; the paper has Cilk's spawn and sync.
//! 2. A task that is told of as one with a promise may do something more after it has set it. That part has an S-bag
//!    of its own and is joined by the scope alone, as if it were an async that the task starts last.
//! 3. The paper takes programs for structured. Here each get is looked at: the creator's bag must be an S-bag, which it
//!    is if and only if what the creator did next precedes the getter.

use super::bags::{Accessor, Bag, Bags};
use super::cells::Cells;
use crate::detector::{Construct, Detector};
use crate::event::{Access, Event};
use crate::findings::{Detail, Exclusion, Findings, Place, Race};
use crate::hash::Map;
use crate::ids::{LocId, PromiseId, SiteId, TaskId};
use crate::live::LiveDetector;
use crate::registry::DetectorKind;

/// A task that is being executed.
#[derive(Debug)]
struct Running {
    task: TaskId,
    /// The part that is being executed, as the bags name it: all of the task, or what follows its set.
    part: TaskId,
    s_bag: Bag,
    /// The part of its creator that has started it.
    creator: Option<TaskId>,
    /// The bag of what it did up to its set of a promise.
    until_set: Option<Bag>,
}

/// A task or a join scope that is being executed. Both have a P-bag; only a task has an S-bag.
#[derive(Debug)]
struct Frame {
    /// The task that runs here, or `None` for a scope.
    running: Option<Running>,
    p_bag: Bag,
    /// How many futures had ended when it began.
    ended_before: usize,
}

/// A promise that a task has set: a future, if it is got as one.
#[derive(Debug)]
struct Promised {
    bag: Bag,
    /// The part of the task that is in the bag.
    part: TaskId,
    creator: TaskId,
    is_got: bool,
}

/// The shadow fields of one location.
#[derive(Clone, Debug, Default)]
struct Cell {
    writer: Accessor,
    /// Those since the last write.
    readers: Vec<Accessor>,
}

/// The detector; see the module documentation.
#[derive(Debug)]
pub struct MultiBags {
    bags: Bags,
    /// By part: whose it is.
    tasks: Vec<TaskId>,
    stack: Vec<Frame>,
    /// The part that is being executed.
    current: TaskId,
    promises: Map<PromiseId, Promised>,
    /// The bags of the futures that have ended in a scope that has not.
    ended: Vec<Bag>,
    refused: Option<Construct>,
    cells: Cells<Cell>,
    findings: Findings,
}

impl MultiBags {
    /// A detector at the start of the main task.
    pub fn new(detail: Detail) -> Self {
        let mut detector = Self {
            bags: Bags::default(),
            tasks: Vec::new(),
            stack: Vec::new(),
            current: TaskId::MAIN,
            promises: Map::default(),
            ended: Vec::new(),
            refused: None,
            cells: Cells::default(),
            findings: Findings::new(detail),
        };
        detector.begin_task(TaskId::MAIN, None);
        detector
    }

    /// A part of a task begins, with an S-bag of its own.
    fn begin_part(&mut self, task: TaskId) -> Bag {
        self.current = TaskId::from_index(self.tasks.len());
        self.tasks.push(task);
        self.bags.new_task(self.current)
    }

    fn begin_task(&mut self, task: TaskId, creator: Option<TaskId>) {
        let s_bag = self.begin_part(task);
        let running = Running { task, part: self.current, s_bag, creator, until_set: None };
        self.push(Some(running));
    }

    fn push(&mut self, running: Option<Running>) {
        let ended_before = self.ended.len();
        self.stack.push(Frame { running, p_bag: Bag::EMPTY, ended_before });
    }

    /// The innermost task: execution is only ever there.
    fn running(&mut self) -> &mut Running {
        let innermost = self.stack.iter_mut().rev().find_map(|frame| frame.running.as_mut());
        innermost.expect("the main task ends last")
    }

    /// What the ended task did is parallel with what follows, until the task or scope that encloses it is joined, but
    /// for what it did up to the set of a promise: whoever gets that joins it.
    fn end_task(&mut self) {
        let ended = self.stack.pop().expect("only a running task ends");
        let running = ended.running.expect("a task ends only after its scopes");
        if let Some(bag) = running.until_set {
            self.ended.push(self.bags.union_parallel(bag, Bag::EMPTY));
        }
        if let Some(enclosing) = self.stack.last_mut() {
            let with_s = self.bags.union_parallel(enclosing.p_bag, running.s_bag);
            enclosing.p_bag = self.bags.union_parallel(with_s, ended.p_bag);
        }
    }

    fn end_scope(&mut self) {
        let ended = self.stack.pop().expect("only an open scope ends");
        assert!(ended.running.is_none(), "scopes and tasks are properly nested");
        self.join(ended.p_bag);
        for future in self.ended.split_off(ended.ended_before) {
            self.join(future);
        }
    }

    /// What is in the bag precedes the current task from now on.
    fn join(&mut self, bag: Bag) {
        let s_bag = self.running().s_bag;
        self.running().s_bag = self.bags.union_serial(s_bag, bag);
    }

    /// Execution goes on with the innermost task.
    fn switch(&mut self, to: TaskId) {
        let running = self.running();
        assert_eq!(to, running.task, "MultiBags needs a depth-first execution");
        self.current = running.part;
    }

    /// The current task sets a promise. Only the first one can be that of a future.
    fn set(&mut self, promise: PromiseId) {
        let running = self.running();
        let (Some(creator), None) = (running.creator, running.until_set) else { return };
        let (task, part, bag) = (running.task, running.part, running.s_bag);
        self.promises.insert(promise, Promised { bag, part, creator, is_got: false });
        let s_bag = self.begin_part(task);
        let part = self.current;
        let running = self.running();
        (running.part, running.s_bag, running.until_set) = (part, s_bag, Some(bag));
    }

    /// The current task gets a future, if that is structured.
    fn get(&mut self, promise: PromiseId) {
        let Some(future) = self.promises.get_mut(&promise) else {
            self.refused = Some(Construct::Promise);
            return;
        };
        let creator = Accessor::new(future.creator, SiteId(0));
        if future.is_got || creator.is_parallel(&mut self.bags) {
            self.refused = Some(Construct::Unstructured);
            return;
        }
        future.is_got = true;
        let (bag, part) = (future.bag, future.part);
        // If it precedes already, because a scope has waited for it, its bag is that of who ended the scope. That must not
        // become the getter's, which may be parallel with what comes later.
        if Accessor::new(part, SiteId(0)).is_parallel(&mut self.bags) {
            self.join(bag);
        }
    }
}

impl Detector for MultiBags {
    fn kind(&self) -> DetectorKind {
        DetectorKind::MultiBags
    }

    fn event(&mut self, event: Event) {
        match event {
            Event::Fork { child, .. } => self.begin_task(child, Some(self.current)),
            Event::Switch { to } => self.switch(to),
            Event::End => self.end_task(),
            Event::ScopeBegin { .. } => self.push(None),
            Event::ScopeEnd { .. } => self.end_scope(),
            Event::Set { promise } => self.set(promise),
            Event::Get { promise } => self.get(promise),
            other => unreachable!("{other:?} is outside the class of MultiBags"),
        }
    }

    fn refused(&mut self) -> Option<Construct> {
        self.refused.take()
    }

    #[inline]
    fn access(&mut self, location: LocId, access: Access, site: SiteId) {
        let me = Accessor::new(self.current, site);
        let (cell, bags, tasks) = (self.cells.at(location), &mut self.bags, &self.tasks);
        let place = |accessor: Accessor, access: Access| {
            let Place { site, task: part, .. } = accessor.place(access);
            Place { site, access, task: tasks[part.index()] }
        };
        let mut check = |first: Accessor, as_access: Access, bags: &mut Bags| {
            if first.is_parallel(bags) {
                let (first, second) = (place(first, as_access), place(me, access));
                self.findings.report(Race { location, exclusion: Exclusion::None, first, second });
            }
        };
        check(cell.writer, Access::Write, bags);
        match access {
            Access::Read => {
                if cell.readers.last().is_none_or(|last| last.place(access).task != self.current) {
                    cell.readers.push(me);
                }
            }
            Access::Write => {
                for reader in cell.readers.drain(..) {
                    check(reader, Access::Read, bags);
                }
                cell.writer = me;
            }
            other => unreachable!("{other:?} is outside the class of MultiBags"),
        }
    }

    fn findings(&self) -> &Findings {
        &self.findings
    }

    fn stats(&self) -> Vec<(&'static str, u64)> {
        let readers: usize = self.cells.iter().map(|cell| cell.readers.capacity()).sum();
        vec![
            ("parts of tasks", self.tasks.len() as u64),
            ("locations", self.cells.len() as u64),
            ("readers kept", readers as u64),
        ]
    }
}

impl LiveDetector for MultiBags {
    fn forget(&mut self, location: LocId) {
        self.cells.forget(location);
    }

    fn split(&mut self, location: LocId, new: LocId) {
        self.cells.split(location, new);
    }

    fn take_races(&mut self, races: &mut Vec<Race>) {
        self.findings.take(races);
    }
}

#[cfg(test)]
mod tests {
    use super::MultiBags;
    use crate::detector::{Construct, Detector};
    use crate::event::{Access, Event, ScopeKind, TaskKind};
    use crate::findings::Detail;
    use crate::ids::{LocId, PromiseId, SiteId, TaskId};

    const BEGIN: Event = Event::ScopeBegin { kind: ScopeKind::Finish };
    const END: Event = Event::ScopeEnd { kind: ScopeKind::Finish };

    /// Tells a detector of tasks by their numbers, the promise of each future being its own.
    struct Teller {
        detector: MultiBags,
        stack: Vec<u32>,
    }

    impl Teller {
        fn new() -> Self {
            Self { detector: MultiBags::new(Detail::Conflicts), stack: vec![0] }
        }

        fn event(&mut self, event: Event) {
            self.detector.event(event);
        }

        fn begin(&mut self, task: u32, kind: TaskKind) {
            self.event(Event::Fork { child: TaskId(task), kind });
            self.event(Event::Switch { to: TaskId(task) });
            self.stack.push(task);
        }

        fn set(&mut self, promise: u32) {
            self.event(Event::Set { promise: PromiseId(promise) });
        }

        fn end(&mut self) {
            self.event(Event::End);
            self.stack.pop();
            let to = TaskId(*self.stack.last().expect("the main task ends last"));
            self.event(Event::Switch { to });
        }

        /// A task that accesses a location, from its start to its end.
        fn task(&mut self, task: u32, kind: TaskKind, access: Access) {
            self.begin(task, kind);
            self.access(access);
            if kind == TaskKind::Future {
                self.set(task);
            }
            self.end();
        }

        fn get(&mut self, future: u32) -> Option<Construct> {
            self.event(Event::Get { promise: PromiseId(future) });
            self.detector.refused()
        }

        fn access(&mut self, access: Access) {
            let site = SiteId(*self.stack.last().expect("the main task ends last"));
            self.detector.access(LocId(0), access, site);
        }

        /// The tasks in conflict.
        fn races(&self) -> Vec<(u32, u32)> {
            let races = self.detector.findings().races().iter();
            races.map(|race| (race.first.task.0, race.second.task.0)).collect()
        }
    }

    #[test]
    fn a_future_is_parallel_until_it_is_got() {
        for is_got in [false, true] {
            let mut run = Teller::new();
            run.event(BEGIN);
            run.task(1, TaskKind::Future, Access::Write);
            if is_got {
                assert_eq!(run.get(1), None);
            }
            run.access(Access::Read);
            run.event(END);
            run.access(Access::Write);
            assert_eq!(run.races(), if is_got { vec![] } else { vec![(1, 0)] });
        }
    }

    #[test]
    fn what_the_getter_has_not_joined_stays_parallel() {
        let mut run = Teller::new();
        run.event(BEGIN);
        run.task(1, TaskKind::Future, Access::Read);
        run.task(2, TaskKind::Future, Access::Read);
        assert_eq!(run.get(1), None);
        run.access(Access::Write);
        assert_eq!(run.races(), [(2, 0)], "each reader counts");
    }

    #[test]
    fn a_future_is_got_once_and_by_who_follows_its_creator() {
        let mut run = Teller::new();
        run.event(BEGIN);
        run.begin(1, TaskKind::Async);
        run.task(2, TaskKind::Future, Access::Write);
        run.end();
        assert_eq!(run.get(2), Some(Construct::Unstructured), "its creator is parallel");
        run.access(Access::Read);
        assert_eq!(run.races(), [(2, 0)], "what is refused orders nothing");
        run.event(END);
        assert_eq!(run.get(2), None, "its creator was joined");
        assert_eq!(run.get(2), Some(Construct::Unstructured), "it was got");
        run.set(3);
        assert_eq!(run.get(3), Some(Construct::Promise), "the main task is no future");
    }

    #[test]
    fn a_future_that_a_scope_has_joined_may_still_be_got_by_a_task_that_is_parallel_with_what_follows()
     {
        let mut run = Teller::new();
        run.access(Access::Write);
        run.event(BEGIN);
        run.task(1, TaskKind::Future, Access::Read);
        run.event(END);
        run.event(BEGIN);
        run.begin(2, TaskKind::Async);
        assert_eq!(run.get(1), None);
        run.access(Access::Read);
        run.end();
        run.access(Access::Read);
        assert_eq!(run.races(), [], "the main task precedes itself");
        run.access(Access::Write);
        assert_eq!(run.races(), [(2, 0)], "only the getter is parallel");
    }

    #[test]
    fn what_a_task_does_after_it_has_set_its_promise_is_not_got() {
        let mut run = Teller::new();
        run.event(BEGIN);
        run.begin(1, TaskKind::Async);
        run.access(Access::Write);
        run.set(1);
        run.access(Access::Read);
        run.end();
        assert_eq!(run.get(1), None);
        run.access(Access::Read);
        assert_eq!(run.races(), []);
        run.access(Access::Write);
        assert_eq!(run.races(), [(1, 0)], "its read is parallel");
        run.event(END);
        run.access(Access::Write);
        assert_eq!(run.races().len(), 1, "the scope has joined it");
    }
}
