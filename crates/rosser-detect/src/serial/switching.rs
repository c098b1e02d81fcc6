//! Tasks that wait, and promises: execution that is not depth-first.
//!
//! The checked program runs on one worker, child first. A task that has to wait for a promise, or for
//! a scope, is put aside and the one that ran it goes on; when a promise is set, those that wait for
//! it run at once, in the order in which they began to wait (Jin et al. 2023, §4.2). How the runtime
//! tells of it:
//!
//! | what happens | calls |
//! |---|---|
//! | a task is spawned | [`Engine::task_begin`]; the number it returns is the task's name |
//! | the current stack has to wait | [`Engine::suspend`]: who started or resumed it goes on |
//! | what it waits for has happened | [`Engine::resume`], by the one who did it |
//! | a promise is set | [`Engine::promise_set`], whose result is kept with the promise; then a `resume` for each that waits |
//! | a promise is got | [`Engine::promise_get`], when it has been set and the getter goes on |
//! | a future's task ends | `promise_set`, then [`Engine::task_end`], then a `resume` for each that waits |
//! | a scope ends | [`Engine::scope_end`], when all its tasks have ended and its owner is current |
//!
//! After a `scope_end`, and after a `promise_get`, [`Engine::is_quiet`] may have become true: nothing
//! is parallel any more, and the region can be ended.
//!
//! What waits is a stack: the task that was started on it, its *base*, and those that run inside each
//! other on top of it, as the closures of a `join` do. An executor that keeps its own list of who runs
//! next uses [`Engine::task_switch`] instead of `suspend` and `resume`.
//!
//! The first set by a task, and the first task put aside, turn the order into the
//! [general](crate::order::general) one; from then on to the end of the region every event comes here.
//! A set by the main task while no other runs orders nothing that is not ordered anyway, and does
//! not.

use crate::kind::Kind;
use crate::order::ScopeNumber;
use crate::order::general::{Get, TaskNumber};
use crate::serial::engine::{Engine, Frame, Scope};
use crate::serial::history::Conflict;
use crate::serial::log::{Beginning, Id, Site, TaskTag};
use crate::serial::quick::Present;
use crate::serial::weak::{Knowledge, Via};
use crate::storage::Exhausted;

/// Where a promise was set. The default is that of a promise whose set precedes all that is to come.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct SetPoint {
    /// The log's length then.
    at: Id,
    point: u32,
    /// What the task had acquired.
    known: Knowledge,
}

impl SetPoint {
    /// What tells it apart from others of the region that begins with the given id; nothing if the set
    /// precedes all of that region.
    pub fn name(self, region: Id) -> Option<Id> {
        (self.at >= region && self.at != 0).then_some(self.at)
    }
}

impl Engine {
    /// The thresholds are of little use: only what precedes everything, and what was asked for last.
    #[cold]
    #[inline(never)]
    pub(crate) fn update_general_thresholds(&mut self) {
        let Present { settled, base, .. } = self.present;
        self.forget_ranges(0);
        self.readers.forget_joined();
        self.present = Present {
            floor: settled,
            parallel: base,
            serial: base,
            unprepared: base,
            every_reader: 1,
            may_be_left: 0,
            ..self.present
        };
    }

    fn new_general_step(&mut self) {
        self.present.base = self.log.next();
        self.at_fence = 0;
        self.fence_released = 0;
        self.update_general_thresholds();
    }

    /// Leaves depth-first order, if that has not happened.
    #[cold]
    #[inline(never)]
    fn leave_depth_first(&mut self) -> Result<(), Exhausted> {
        use crate::order::convert::{OpenScope, RunningTask};
        self.count_step();
        // All running tasks are to be in the log.
        let task = self.current_task()?;
        let (frames, scopes) = (self.frames.as_slice(), self.scopes.as_slice());
        let get = |number: u32| (number as usize).wrapping_sub(1);
        self.order.leave_depth_first(
            |number| {
                let frame = frames.get(get(number))?;
                Some(RunningTask { begin: frame.begin, joined_by: frame.scope })
            },
            |number| {
                let scope = scopes.get(get(number))?;
                // A hole is like a scope of the main task in which nothing happens.
                let owner = if scope.is_hole() { 0 } else { scope.owner };
                Some(OpenScope { from: scope.from, owner })
            },
            self.log.next(),
        )?;
        for (number, frame) in (0..).zip(frames) {
            self.order.general.tasks[number].known = frame.parent_knew;
        }
        debug_assert_eq!(task, self.frame().map_or(0, |frame| frame.begin));
        self.general_from = self.log.next();
        self.new_general_step();
        Ok(())
    }

    /// The region has ended: nothing is left but scopes of the main task, in order, maybe with holes.
    #[cold]
    pub(crate) fn return_to_depth_first(&mut self) {
        self.frames.clear();
        self.free_frame = 0;
        self.free_scope = 0;
        self.general_from = Id::MAX;
        self.outermost = Id::MAX;
        let mut above = 0;
        let mut next = self.order.general.innermost_of_main();
        while let Some(number) = next {
            next = self.order.general.outer_of(number);
            if above == 0 {
                // Not longer than it was.
                let _ = self.scopes.set_len(number);
            }
            self.fill_hole(number, above);
            above = number;
        }
        if above == 0 {
            self.scopes.clear();
        }
        self.fill_hole(0, above);
    }

    /// Makes holes of the numbers between two scopes.
    fn fill_hole(&mut self, outer: ScopeNumber, inner: ScopeNumber) {
        let from = if outer == 0 { 0 } else { self.scopes[outer - 1].from };
        for number in outer + 1..inner {
            self.scopes[number - 1] = Scope::hole(from);
        }
    }

    /// The present step gets its first id.
    #[cold]
    #[inline(never)]
    pub(crate) fn begin_run(&mut self) -> Result<(), Exhausted> {
        let task = self.frame().map_or(0, |frame| frame.begin);
        self.order.general.begin_run(self.log.next(), task)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn task_begin_anywhere(
        &mut self,
        tag: TaskTag,
        site: Site,
        scope: ScopeNumber,
    ) -> Result<TaskNumber, Exhausted> {
        let parent = self.current_task()?;
        let begin = self.log.begin_below(tag, site, parent)?;
        let parent_knew = self.present.known;
        let frame = Frame { begin, tag, site, scope, parent_knew, ..Frame::default() };
        let number = if self.free_frame == 0 {
            self.frames.push(frame)?;
            self.frames.len()
        } else {
            let number = self.free_frame;
            self.free_frame = self.order.general.tasks[number].below;
            self.frames[number - 1] = frame;
            number
        };
        let general = &mut self.order.general;
        general.fork(number, scope, self.log.next())?;
        general.tasks[general.current].known = self.present.known;
        general.current = number;
        self.counts.tasks += 1;
        self.new_general_step();
        Ok(number)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn task_end_anywhere(&mut self) -> Result<(), Exhausted> {
        let number = self.order.general.current;
        if number == 0 {
            return Ok(());
        }
        self.hand_worker_on()?;
        while let Some(abandoned) = self.order.general.abandon_scope()? {
            let known = self.scopes[abandoned - 1].known;
            self.present.known = self.weak.both(self.present.known, known)?;
        }
        let frame = self.frames[number - 1];
        let heir = self.order.general.heir_of(frame.scope);
        if self.present.known != frame.parent_knew && heir != 0 {
            let scope = &mut self.scopes[heir - 1];
            scope.known = self.weak.both(scope.known, self.present.known)?;
        }
        let next = self.order.general.end(self.log.next())?;
        self.order.general.tasks[number].below = self.free_frame;
        self.free_frame = number;
        self.frames[number - 1] = Frame::default();
        self.go_on(next);
        Ok(())
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn scope_begin_anywhere(&mut self) -> Result<ScopeNumber, Exhausted> {
        let owner = self.order.general.current;
        let scope = Scope { from: self.log.next(), known: 0, owner };
        // Scopes of the main task may outlive the region: inner ones must have larger numbers.
        let number = if self.free_scope == 0 || owner == 0 {
            self.scopes.push(scope)?;
            self.scopes.len()
        } else {
            let number = self.free_scope;
            self.free_scope = self.order.general.scopes[number].outer;
            self.scopes[number - 1] = scope;
            number
        };
        self.order.general.scope_begin(number)?;
        Ok(number)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn scope_end_anywhere(&mut self, number: ScopeNumber) -> Result<(), Exhausted> {
        while let Some(ended) = self.order.general.scope_end()? {
            let known = self.scopes[ended - 1].known;
            self.present.known = self.weak.both(self.present.known, known)?;
            if ended == self.scopes.len() {
                self.scopes.pop();
            } else {
                self.order.general.scopes[ended].outer = self.free_scope;
                self.free_scope = ended;
            }
            if ended == number {
                break;
            }
        }
        self.new_general_step();
        Ok(())
    }

    /// If the current task has asked which worker it runs on, others may now meet what it left there.
    fn hand_worker_on(&mut self) -> Result<(), Exhausted> {
        let Some(&Frame { begin, site, asked_for_worker: true, .. }) = self.frame() else {
            return Ok(());
        };
        let knew = self.release_knowledge(begin, site, Via::ReleaseAcquire)?;
        self.worker = self.weak.both(knew, self.worker)?;
        Ok(())
    }

    /// A task is current from now on.
    fn go_on(&mut self, task: TaskNumber) {
        self.order.general.current = task;
        self.present.known = self.order.general.tasks[task].known;
        self.new_general_step();
    }

    /// The current task is put aside, and another goes on.
    pub fn task_switch(&mut self, to: TaskNumber) -> Result<(), Exhausted> {
        let from = self.current();
        if from == to {
            return Ok(());
        }
        if !self.order.is_general() {
            self.leave_depth_first()?;
        }
        self.hand_worker_on()?;
        self.order.general.tasks[from].known = self.present.known;
        self.go_on(to);
        if let Some(&Frame { asked_for_worker: true, site, .. }) = self.frame() {
            self.acquire(self.worker, site, Via::SameWorker)?;
        }
        Ok(())
    }

    /// The current task has to wait, and with it the stack whose base is given; the one that started
    /// or last resumed that goes on.
    pub fn suspend(&mut self, base: TaskNumber) -> Result<(), Exhausted> {
        if !self.order.is_general() {
            self.leave_depth_first()?;
        }
        self.task_switch(self.order.general.tasks[base].below)
    }

    /// A stack that was put aside goes on with the given task; the current one waits until it has to
    /// wait again or its base ends.
    pub fn resume(&mut self, task: TaskNumber, base: TaskNumber) -> Result<(), Exhausted> {
        let below = self.current();
        self.task_switch(task)?;
        if below != task {
            self.order.general.tasks[base].below = below;
        }
        Ok(())
    }

    /// The current task sets a promise, at the given site. What it does from now on does not precede
    /// a get.
    pub fn promise_set(&mut self, site: Site) -> Result<SetPoint, Exhausted> {
        if !self.order.is_general() {
            if self.frames.is_empty() {
                return Ok(SetPoint::default());
            }
            self.leave_depth_first()?;
        }
        self.prepare_id()?;
        let at = self.log.set(site)?;
        let point = self.order.general.set(self.log.next())?;
        self.new_general_step();
        Ok(SetPoint { at, point, known: self.present.known })
    }

    /// The current task goes on, at the given site, after getting a promise that was set at the given
    /// point.
    pub fn promise_get(&mut self, set: SetPoint, site: Site) -> Result<(), Exhausted> {
        // What was set in a region that has ended precedes everything.
        if !self.order.is_general() || set.at < self.region {
            return Ok(());
        }
        self.order.general.get(set.point)?;
        self.present.known = self.weak.both(self.present.known, set.known)?;
        let current = self.current();
        let gets = &mut self.order.general.tasks[current].gets;
        gets.rotate_right(1);
        gets[0] = Get { set: set.at, site };
        self.new_general_step();
        Ok(())
    }

    /// The current task tries to set a promise that was set before. If the two are parallel, the
    /// schedule decides which is first: that is a conflict.
    pub fn promise_set_again(&mut self, set: SetPoint) {
        self.conflicting = 0;
        if set.at >= self.region && self.is_parallel(set.at) {
            self.conflicts[0] = Conflict {
                first: set.at,
                first_kind: Kind::Store,
                exact: true,
                second_kind: Kind::Store,
                bytes: 0xff,
                hop: None,
            };
            self.conflicting = 1;
        }
    }

    /// The last promises that the current task got, the newest first.
    pub fn gets(&self) -> impl Iterator<Item = Get> + '_ {
        let current = self.order.is_general().then(|| self.current());
        let gets = current.map(|current| self.order.general.tasks[current].gets);
        gets.into_iter().flatten().filter(|get| get.set != 0)
    }

    /// The task that made an access or a set, by the id of its beginning; 0 is the main task.
    pub fn task_of(&self, id: Id) -> Id {
        if id >= self.general_from {
            self.order.general.task_of(id)
        } else {
            self.log.tasks_of(id, self.region).next().map_or(0, |task| task.id)
        }
    }

    /// The next promise that the task of an access has set after it, if any; for reports.
    pub fn next_set(&self, id: Id) -> Option<Id> {
        /// It is not searched for further than this.
        const FAR: Id = 1 << 22;
        let from = (id + 1).max(self.general_from);
        let mut later = from..self.log.next().min(from.saturating_add(FAR));
        let task = self.task_of(id);
        later.find(|later| self.log.is_set(*later) && self.task_of(*later) == task)
    }

    /// Has searches of the joins give up early, so that tests reach what they fall back on. The
    /// answers are the same.
    pub fn limit_searches(&mut self, budget: u32) {
        self.order.general.joins.limit_searches(budget);
    }

    /// The running tasks around the current one, itself first. Ancestors that have ended are left
    /// out.
    pub fn running(&self) -> impl Iterator<Item = &Frame> + '_ {
        let mut begin = self.frame().map_or(0, |frame| frame.begin);
        let mut depth = self.frames.as_slice().len();
        std::iter::from_fn(move || {
            if !self.order.is_general() {
                depth = depth.checked_sub(1)?;
                return Some(&self.frames.as_slice()[depth]);
            }
            while begin != 0 {
                let found = self.frames.as_slice().iter().find(|frame| frame.begin == begin);
                begin = self.parent_of(begin);
                if found.is_some() {
                    return found;
                }
            }
            None
        })
    }

    /// The outermost of them.
    pub fn outermost_running(&self) -> Option<&Frame> {
        if self.order.is_general() { self.running().last() } else { self.frames.as_slice().first() }
    }

    /// The beginning of the parent of the task that begins at an id.
    fn parent_of(&self, begin: Id) -> Id {
        if begin >= self.general_from {
            self.log.beginning(begin).1
        } else {
            self.log.tasks_of(begin - 1, self.region).next().map_or(0, |task| task.id)
        }
    }

    /// The tasks around a remembered access, innermost first, up to one that is around the current
    /// step, too; and how many running tasks are around both.
    pub fn tasks_of(&self, id: Id, mut each: impl FnMut(Beginning)) -> usize {
        let depth = self.running().count();
        let common = |task: Id| self.running().position(|frame| frame.begin == task);
        let mut id = id;
        if id >= self.general_from {
            id = self.order.general.task_of(id);
            while id >= self.general_from {
                if let Some(above) = common(id) {
                    return depth - above;
                }
                let (task, parent) = self.log.beginning(id);
                each(task);
                id = parent;
            }
        }
        for task in self.log.tasks_of(id, self.region) {
            if let Some(above) = common(task.id) {
                return depth - above;
            }
            each(task);
        }
        0
    }
}
