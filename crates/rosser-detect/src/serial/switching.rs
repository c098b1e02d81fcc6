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
use crate::serial::conflicts::Conflict;
use crate::serial::engine::Engine;
use crate::serial::log::{Beginning, Id, Site, TaskTag};
use crate::serial::running::{Frame, Scope};
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
        self.judge.strong.update_general_thresholds();
        self.judge.readers.forget_joined();
    }

    fn new_general_step(&mut self) {
        self.judge.strong.present.base = self.judge.numbering.next();
        self.judge.weak.forget_fences();
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
        let running = &self.running;
        self.judge.strong.order.leave_depth_first(
            |number| {
                let frame = running.frame(number)?;
                Some(RunningTask { begin: frame.begin, joined_by: frame.scope })
            },
            |number| {
                let scope = running.scope(number)?;
                // A hole is like a scope of the main task in which nothing happens.
                let owner = if scope.is_hole() { 0 } else { scope.owner };
                Some(OpenScope { from: scope.from, owner })
            },
            self.judge.numbering.next(),
        )?;
        for (number, frame) in (0..).zip(running.frames.as_slice()) {
            self.judge.strong.order.general.tasks[number].known = frame.parent_knew;
        }
        debug_assert_eq!(task, self.frame().map_or(0, |frame| frame.begin));
        self.judge.numbering.general_from = self.judge.numbering.next();
        self.new_general_step();
        Ok(())
    }

    /// The region has ended: nothing is left but scopes of the main task, in order, maybe with holes.
    #[cold]
    pub(crate) fn return_to_depth_first(&mut self) {
        self.running.frames.clear();
        self.running.free_frame = 0;
        self.running.free_scope = 0;
        self.judge.numbering.general_from = Id::MAX;
        self.running.outermost = Id::MAX;
        let mut above = 0;
        let mut next = self.judge.strong.order.general.innermost_of_main();
        while let Some(number) = next {
            next = self.judge.strong.order.general.outer_of(number);
            if above == 0 {
                // Not longer than it was.
                let _ = self.running.scopes.set_len(number);
            }
            self.running.fill_hole(number, above);
            above = number;
        }
        if above == 0 {
            self.running.scopes.clear();
        }
        self.running.fill_hole(0, above);
    }

    /// The present step gets its first id.
    #[cold]
    #[inline(never)]
    pub(crate) fn begin_run(&mut self) -> Result<(), Exhausted> {
        let task = self.frame().map_or(0, |frame| frame.begin);
        self.judge.strong.order.general.begin_run(self.judge.numbering.next(), task)
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
        let begin = self.judge.numbering.log.begin_below(tag, site, parent)?;
        let parent_knew = self.judge.weak.known;
        let frame = Frame { begin, tag, site, scope, parent_knew, ..Frame::default() };
        let general = &mut self.judge.strong.order.general;
        let number = self.running.place_frame(frame, |number| general.tasks[number].below)?;
        general.fork(number, scope, self.judge.numbering.next())?;
        general.tasks[general.current].known = parent_knew;
        general.current = number;
        self.running.begun += 1;
        self.new_general_step();
        Ok(number)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn task_end_anywhere(&mut self) -> Result<(), Exhausted> {
        let number = self.judge.strong.order.general.current;
        if number == 0 {
            return Ok(());
        }
        self.hand_worker_on()?;
        while let Some(abandoned) = self.judge.strong.order.general.abandon_scope()? {
            self.judge.weak.join(self.running.scopes[abandoned - 1].known)?;
        }
        let frame = self.running.frames[number - 1];
        let heir = self.judge.strong.order.general.heir_of(frame.scope);
        if self.judge.weak.known != frame.parent_knew && heir != 0 {
            self.judge.weak.leave_to(&mut self.running.scopes[heir - 1])?;
        }
        let next = self.judge.strong.order.general.end(self.judge.numbering.next())?;
        self.judge.strong.order.general.tasks[number].below = self.running.free_frame;
        self.running.free_frame = number;
        self.running.frames[number - 1] = Frame::default();
        self.go_on(next);
        Ok(())
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn scope_begin_anywhere(&mut self) -> Result<ScopeNumber, Exhausted> {
        let owner = self.judge.strong.order.general.current;
        let scope = Scope { from: self.judge.numbering.next(), known: 0, owner };
        // Scopes of the main task may outlive the region: inner ones must have larger numbers.
        let number = if self.running.free_scope == 0 || owner == 0 {
            self.running.scopes.push(scope)?;
            self.running.scopes.len()
        } else {
            let number = self.running.free_scope;
            self.running.free_scope = self.judge.strong.order.general.scopes[number].outer;
            self.running.scopes[number - 1] = scope;
            number
        };
        self.judge.strong.order.general.scope_begin(number)?;
        Ok(number)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn scope_end_anywhere(&mut self, number: ScopeNumber) -> Result<(), Exhausted> {
        while let Some(ended) = self.judge.strong.order.general.scope_end()? {
            self.judge.weak.join(self.running.scopes[ended - 1].known)?;
            if ended == self.running.scopes.len() {
                self.running.scopes.pop();
            } else {
                self.judge.strong.order.general.scopes[ended].outer = self.running.free_scope;
                self.running.free_scope = ended;
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
        self.judge.weak.leave_on_worker(knew)
    }

    /// A task is current from now on.
    fn go_on(&mut self, task: TaskNumber) {
        self.judge.strong.order.general.current = task;
        self.judge.weak.known = self.judge.strong.order.general.tasks[task].known;
        self.new_general_step();
    }

    /// The current task is put aside, and another goes on.
    pub fn task_switch(&mut self, to: TaskNumber) -> Result<(), Exhausted> {
        let from = self.current();
        if from == to {
            return Ok(());
        }
        if !self.is_general() {
            self.leave_depth_first()?;
        }
        self.hand_worker_on()?;
        self.judge.strong.order.general.tasks[from].known = self.judge.weak.known;
        self.go_on(to);
        if let Some(&Frame { asked_for_worker: true, site, .. }) = self.frame() {
            self.acquire(self.judge.weak.worker, site, Via::SameWorker)?;
        }
        Ok(())
    }

    /// The current task has to wait, and with it the stack whose base is given; the one that started
    /// or last resumed that goes on.
    pub fn suspend(&mut self, base: TaskNumber) -> Result<(), Exhausted> {
        if !self.is_general() {
            self.leave_depth_first()?;
        }
        self.task_switch(self.judge.strong.order.general.tasks[base].below)
    }

    /// A stack that was put aside goes on with the given task; the current one waits until it has to
    /// wait again or its base ends.
    pub fn resume(&mut self, task: TaskNumber, base: TaskNumber) -> Result<(), Exhausted> {
        let below = self.current();
        self.task_switch(task)?;
        if below != task {
            self.judge.strong.order.general.tasks[base].below = below;
        }
        Ok(())
    }

    /// The current task sets a promise, at the given site. What it does from now on does not precede
    /// a get.
    pub fn promise_set(&mut self, site: Site) -> Result<SetPoint, Exhausted> {
        if !self.is_general() {
            if self.running.frames.is_empty() {
                return Ok(SetPoint::default());
            }
            self.leave_depth_first()?;
        }
        self.prepare_id()?;
        let at = self.judge.numbering.log.set(site)?;
        let point = self.judge.strong.order.general.set(self.judge.numbering.next())?;
        self.new_general_step();
        Ok(SetPoint { at, point, known: self.judge.weak.known })
    }

    /// The current task goes on, at the given site, after getting a promise that was set at the given
    /// point.
    pub fn promise_get(&mut self, set: SetPoint, site: Site) -> Result<(), Exhausted> {
        // What was set in a region that has ended precedes everything.
        if !self.is_general() || set.at < self.judge.strong.region {
            return Ok(());
        }
        self.judge.strong.order.general.get(set.point)?;
        self.judge.weak.join(set.known)?;
        let current = self.current();
        let gets = &mut self.judge.strong.order.general.tasks[current].gets;
        gets.rotate_right(1);
        gets[0] = Get { set: set.at, site };
        self.new_general_step();
        Ok(())
    }

    /// The current task tries to set a promise that was set before. If the two are parallel, the
    /// schedule decides which is first: that is a conflict.
    pub fn promise_set_again(&mut self, set: SetPoint) {
        self.judge.conflicts.clear();
        if set.at >= self.judge.strong.region && self.judge.strong.is_parallel(set.at) {
            self.judge.conflicts.push(Conflict {
                first: set.at,
                first_kind: Kind::Store,
                exact: true,
                second_kind: Kind::Store,
                bytes: 0xff,
                hop: None,
            });
        }
    }

    /// The last promises that the current task got, the newest first.
    pub fn gets(&self) -> impl Iterator<Item = Get> + '_ {
        let current = self.is_general().then(|| self.current());
        let gets = current.map(|current| self.judge.strong.order.general.tasks[current].gets);
        gets.into_iter().flatten().filter(|get| get.set != 0)
    }

    /// The task that made an access or a set, by the id of its beginning; 0 is the main task.
    pub fn task_of(&self, id: Id) -> Id {
        if id >= self.judge.numbering.general_from {
            self.judge.strong.order.general.task_of(id)
        } else {
            self.judge.numbering.task_around(id, self.region())
        }
    }

    /// The next promise that the task of an access has set after it, if any; for reports.
    pub fn next_set(&self, id: Id) -> Option<Id> {
        /// It is not searched for further than this.
        const FAR: Id = 1 << 22;
        let from = (id + 1).max(self.judge.numbering.general_from);
        let mut later = from..self.judge.numbering.next().min(from.saturating_add(FAR));
        let task = self.task_of(id);
        later.find(|later| self.judge.numbering.log.is_set(*later) && self.task_of(*later) == task)
    }

    /// Has searches of the joins give up early, so that tests reach what they fall back on. The
    /// answers are the same.
    pub fn limit_searches(&mut self, budget: u32) {
        self.judge.strong.order.general.joins.limit_searches(budget);
    }

    /// The running tasks around the current one, itself first. Ancestors that have ended are left
    /// out.
    pub fn running(&self) -> impl Iterator<Item = &Frame> + '_ {
        let mut begin = self.frame().map_or(0, |frame| frame.begin);
        let mut depth = self.running.frames.as_slice().len();
        std::iter::from_fn(move || {
            if !self.is_general() {
                depth = depth.checked_sub(1)?;
                return Some(&self.running.frames.as_slice()[depth]);
            }
            while begin != 0 {
                let found =
                    self.running.frames.as_slice().iter().find(|frame| frame.begin == begin);
                begin = self.judge.numbering.parent_of(begin, self.region());
                if found.is_some() {
                    return found;
                }
            }
            None
        })
    }

    /// The outermost of them.
    pub fn outermost_running(&self) -> Option<&Frame> {
        if self.is_general() {
            self.running().last()
        } else {
            self.running.frames.as_slice().first()
        }
    }

    /// The tasks around a remembered access, innermost first, up to one that is around the current
    /// step, too; and how many running tasks are around both.
    pub fn tasks_of(&self, id: Id, mut each: impl FnMut(Beginning)) -> usize {
        let depth = self.running().count();
        let common = |task: Id| self.running().position(|frame| frame.begin == task);
        let mut id = id;
        if id >= self.judge.numbering.general_from {
            id = self.judge.strong.order.general.task_of(id);
            while id >= self.judge.numbering.general_from {
                if let Some(above) = common(id) {
                    return depth - above;
                }
                let (task, parent) = self.judge.numbering.log.beginning(id);
                each(task);
                id = parent;
            }
        }
        for task in self.judge.numbering.log.tasks_of(id, self.judge.strong.region) {
            if let Some(above) = common(task.id) {
                return depth - above;
            }
            each(task);
        }
        0
    }
}
