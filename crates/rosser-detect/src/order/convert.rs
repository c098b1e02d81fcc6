//! Spans become steps.
//!
//! Whatever later steps will be, they come after the current one, or after what its ancestors do
//! next. So of everything in the log they can tell apart only this much: for each running task what
//! it has done so far, with all that it has joined, and each parallel span. The former are steps of
//! tasks that still run, the latter of a child that has ended. Linear in the number of spans and of
//! running tasks, and happens once in a region.

use super::Order;
use super::general::TaskNumber;
use super::runs::Run;
use super::spans::ScopeNumber;
use crate::serial::log::Id;
use crate::storage::Exhausted;

/// A running task, as the engine knows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunningTask {
    /// Its beginning in the log.
    pub(crate) begin: Id,
    pub(crate) joined_by: ScopeNumber,
}

/// An open scope, as the engine knows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenScope {
    /// What has been done in it is from here on.
    pub(crate) from: Id,
    pub(crate) owner: TaskNumber,
}

/// What is still to be converted of the running tasks and open scopes, outermost first.
struct Rest<T, S> {
    tasks: T,
    scopes: S,
    next_task: u32,
    next_scope: ScopeNumber,
}

impl Order {
    /// Leaves depth-first order. `tasks` and `scopes` give those with a number, counted from 1; `now`
    /// is the next id.
    pub(crate) fn leave_depth_first(
        &mut self,
        tasks: impl Fn(TaskNumber) -> Option<RunningTask>,
        scopes: impl Fn(ScopeNumber) -> Option<OpenScope>,
        now: Id,
    ) -> Result<(), Exhausted> {
        self.general.clear()?;
        self.is_general = true;
        // The spans are linked from the top down. They are laid out at the end of the table of runs,
        // far enough from its start that the runs made of them cannot catch up.
        let mut room = 0;
        while tasks(room + 1).is_some() {
            room += 1;
        }
        let spans = self.spans.depth() + 1;
        self.general.runs.table().set_len(room + spans)?;
        let mut at = room + spans;
        for (low, joined_by) in self.spans.top_down() {
            at -= 1;
            self.general.runs.table()[at] = Run { low, step: joined_by, task: 0 };
        }
        let mut rest = Rest { tasks, scopes, next_task: 1, next_scope: 1 };
        let mut written = 0;
        for index in room..room + spans {
            let Run { low, step: joined_by, .. } = self.general.runs.table()[index];
            let end = self.general.runs.table().as_slice().get(index as usize + 1);
            let end = end.map_or(now, |next| next.low);
            if low == end {
                // Left over by a compaction.
                continue;
            }
            rest.advance(self, low, now)?;
            let mut put = |order: &mut Self, low, step, task| {
                order.general.runs.table()[written] = Run { low, step, task };
                written += 1;
            };
            if joined_by != 0 {
                let step = self.general.ended_child(self.general.current, joined_by - 1, now)?;
                put(self, low, step, 0);
                continue;
            }
            put(self, low, self.general.step(self.general.current), rest.current_begin());
            while let Some(begin) = rest.next_begin().filter(|begin| *begin < end) {
                rest.advance(self, begin, now)?;
                put(self, begin, self.general.step(self.general.current), begin);
            }
        }
        self.general.runs.table().set_len(written)?;
        rest.advance(self, Id::MAX, now)
    }
}

impl<T, S> Rest<T, S>
where
    T: Fn(TaskNumber) -> Option<RunningTask>,
    S: Fn(ScopeNumber) -> Option<OpenScope>,
{
    /// Where the next task begins.
    fn next_begin(&self) -> Option<Id> {
        (self.tasks)(self.next_task).map(|task| task.begin)
    }

    /// Where the innermost task so far began.
    fn current_begin(&self) -> Id {
        (self.tasks)(self.next_task - 1).map_or(0, |task| task.begin)
    }

    /// Opens the scopes and begins the tasks up to an id.
    fn advance(&mut self, order: &mut Order, to: Id, now: Id) -> Result<(), Exhausted> {
        loop {
            let general = &mut order.general;
            let scope = (self.scopes)(self.next_scope);
            let task = (self.tasks)(self.next_task);
            if scope.is_some_and(|scope| scope.owner == general.current && scope.from <= to) {
                general.scope_begin(self.next_scope)?;
                self.next_scope += 1;
            } else if let Some(task) = task.filter(|task| task.begin <= to) {
                general.fork(self.next_task, task.joined_by, now)?;
                general.current = self.next_task;
                self.next_task += 1;
            } else {
                return Ok(());
            }
        }
    }
}
