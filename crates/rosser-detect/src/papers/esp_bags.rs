//! ESP-bags: R. Raman, J. Zhao, V. Sarkar, M. Vechev and E. Yahav, *Efficient Data Race Detection
//! for Async-Finish Parallelism*, 2012.
//!
//! * **Program class**: async, finish, begin/endFinish, isolated; spawn and sync by the paper's
//!   translation (§2.3): a sync block is a finish scope. Executed depth-first.
//! * **Guarantee**: without `isolated`, a race on a location is reported if and only if one exists
//!   in some schedule of this input (Theorem 5). With `isolated`, every report is right, but code
//!   that runs only when two isolated sections are exchanged is not seen (§5), and two isolated
//!   sections that conflict are not reported at all: they exclude each other, so their conflict is
//!   order-dependence, which this algorithm does not look for.
//! * **Cost**: at most four finds in a disjoint-set forest per access, amortised O(α); O(1) space
//!   per location and per task.

use super::bags::{Accessor, Bag, Bags};
use super::cells::Cells;
use crate::detector::Detector;
use crate::event::{Access, Event};
use crate::findings::{Detail, Exclusion, Findings, Race};
use crate::ids::{LocId, SiteId, TaskId};
use crate::live::LiveDetector;
use crate::registry::DetectorKind;

/// A task or a finish scope that is being executed. Both have a P-bag; only a task has an S-bag.
#[derive(Debug)]
struct Frame {
    /// The task that runs here, with its S-bag, or `None` for a finish scope.
    task: Option<(TaskId, Bag)>,
    p_bag: Bag,
}

/// The shadow fields of one location.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    writer: Accessor,
    reader: Accessor,
    isolated_writer: Accessor,
    isolated_reader: Accessor,
}

/// The detector; see the module documentation.
#[derive(Debug)]
pub struct EspBags {
    bags: Bags,
    stack: Vec<Frame>,
    current: TaskId,
    isolated: bool,
    cells: Cells<Cell>,
    findings: Findings,
}

impl EspBags {
    /// A detector at the start of the main task.
    pub fn new(detail: Detail) -> Self {
        let mut detector = Self {
            bags: Bags::default(),
            stack: Vec::new(),
            current: TaskId::MAIN,
            isolated: false,
            cells: Cells::default(),
            findings: Findings::new(detail),
        };
        detector.begin_task(TaskId::MAIN);
        detector
    }

    fn begin_task(&mut self, task: TaskId) {
        let s_bag = self.bags.new_task(task);
        self.stack.push(Frame { task: Some((task, s_bag)), p_bag: Bag::EMPTY });
        self.current = task;
    }

    /// What the ended task did, and what of its descendants was not joined, now runs in parallel
    /// with the task or finish that encloses it.
    fn end_task(&mut self) {
        let ended = self.stack.pop().expect("only a running task ends");
        let (_, s_bag) = ended.task.expect("a task ends only after its finish scopes");
        if let Some(enclosing) = self.stack.last_mut() {
            let with_s = self.bags.union_parallel(enclosing.p_bag, s_bag);
            enclosing.p_bag = self.bags.union_parallel(with_s, ended.p_bag);
        }
    }

    fn end_finish(&mut self) {
        let ended = self.stack.pop().expect("only an open finish ends");
        assert!(ended.task.is_none(), "scopes and tasks are properly nested");
        let owner = self.stack.iter_mut().rev().find_map(|frame| frame.task.as_mut());
        let (_, s_bag) = owner.expect("a finish belongs to a task");
        *s_bag = self.bags.union_serial(*s_bag, ended.p_bag);
    }

    /// Checks the depth-first order: execution is only ever in the innermost task on the stack.
    fn switch(&mut self, to: TaskId) {
        let innermost = self.stack.iter().rev().find_map(|frame| frame.task);
        let (task, _) = innermost.expect("the main task ends last");
        assert_eq!(task, to, "ESP-bags needs a depth-first execution");
        self.current = to;
    }
}

impl Detector for EspBags {
    fn kind(&self) -> DetectorKind {
        DetectorKind::EspBags
    }

    fn event(&mut self, event: Event) {
        match event {
            Event::Fork { child, .. } => self.begin_task(child),
            Event::Switch { to } => self.switch(to),
            Event::End => self.end_task(),
            Event::ScopeBegin { .. } => self.stack.push(Frame { task: None, p_bag: Bag::EMPTY }),
            Event::ScopeEnd { .. } => self.end_finish(),
            Event::Acquire { .. } => self.isolated = true,
            Event::Release { .. } => self.isolated = false,
            other => unreachable!("{other:?} is outside the class of ESP-bags"),
        }
    }

    #[inline]
    fn access(&mut self, location: LocId, access: Access, site: SiteId) {
        let me = Accessor::new(self.current, site);
        let (cell, bags) = (self.cells.at(location), &mut self.bags);
        let mut check = |first: Accessor, as_access: Access, bags: &mut Bags| {
            if first.is_parallel(bags) {
                self.findings.report(Race {
                    location,
                    exclusion: Exclusion::None,
                    first: first.place(as_access),
                    second: me.place(access),
                });
            }
        };
        check(cell.writer, Access::Write, bags);
        if !self.isolated {
            check(cell.isolated_writer, Access::Write, bags);
        }
        match access {
            Access::Read if self.isolated => cell.isolated_reader.replace_if_serial(me, bags),
            Access::Read => cell.reader.replace_if_serial(me, bags),
            Access::Write => {
                check(cell.reader, Access::Read, bags);
                if self.isolated {
                    cell.isolated_writer.replace_if_serial(me, bags);
                } else {
                    check(cell.isolated_reader, Access::Read, bags);
                    cell.writer = me;
                }
            }
            other => unreachable!("{other:?} is outside the class of ESP-bags"),
        }
    }

    fn findings(&self) -> &Findings {
        &self.findings
    }

    fn stats(&self) -> Vec<(&'static str, u64)> {
        vec![("tasks", self.bags.len() as u64), ("locations", self.cells.len() as u64)]
    }
}

impl LiveDetector for EspBags {
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
