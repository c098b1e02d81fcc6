//! Items of a parallel loop: tasks of one scope that follow each other with nothing in between.
//!
//! A parallel iterator runs its items in a few leaves, each a plain loop, and most items do very little. To end a
//! task and begin the next costs more than they do. So an item is told of by [`Engine::next_item_quickly`], which is
//! [`Engine::task_end`] and [`Engine::task_begin`] in one: what the item has done becomes part of the parallel span
//! of the items before it, and the next one goes on in the same frame.
//!
//! ```text
//!  … │ the leaf's task │ items before ∥ │ this item │              … │ the leaf's task │ items before      ∥ │ next │
//!    │       S         │       P        │     S     │   ──────►      │       S         │          P          │  S   │
//! ```
//!
//! Quickly, that is to move one bound. It takes depth-first order, an item that has neither started tasks nor
//! released nor acquired anything, and one before it. Whatever else there is, is done as for any two tasks.

use crate::order::ScopeNumber;
use crate::order::general::TaskNumber;
use crate::serial::conflicts::Conflict;
use crate::serial::engine::Engine;
use crate::serial::log::{Id, Site, TaskTag};
use crate::serial::present::Present;
use crate::serial::running::Running;
use crate::storage::Exhausted;

impl Engine {
    /// The current task ends, and one like it begins, joined by the same scope: `number` is kept in place of where it
    /// was spawned. Returns false, and does nothing, if that takes more than moving a few bounds.
    #[inline]
    pub fn next_item_quickly(&mut self, number: Site) -> bool {
        let Running { frames, scopes, unlogged, .. } = &mut self.running;
        let innermost = scopes.len();
        let depth = frames.len();
        let Some(frame) = frames.as_mut_slice().last_mut() else { return false };
        let begin = frame.begin;
        // A task is logged when it begins, before its first step, or with its first access.
        if *unlogged != 0
            || self.judge.strong.present.base.wrapping_sub(begin) > 1
            || frame.scope != innermost
            || frame.asked_for_worker
            || self.judge.weak.is_involved(frame.parent_knew)
        {
            return false;
        }
        let log = &mut self.judge.numbering.log;
        let next = log.next();
        if next == begin + 1 {
            // It has done nothing.
            frame.site = number;
            log.set_site(begin, number);
            self.running.begun += 1;
            return true;
        }
        let order = &mut self.judge.strong.order;
        if order.is_general()
            || !log.has_room(2)
            || !order.spans.next_item(begin, frame.scope, next + 1)
        {
            return false;
        }
        log.end_and_begin(begin, frame.tag, number);
        frame.site = number;
        frame.begin = next + 1;
        if depth == 1 {
            self.running.outermost = next + 1;
        }
        self.running.begun += 1;
        self.running.steps += 1;
        let present = &mut self.judge.strong.present;
        present.base = next + 1;
        present.serial = next + 1;
        if present.every_reader == 0 {
            present.may_be_left = Present::MAY_BE_LEFT;
        }
        true
    }

    /// The same, whatever the item has done.
    #[cold]
    #[inline(never)]
    pub fn next_item_slowly(&mut self, tag: TaskTag, number: Site) -> Result<(), Exhausted> {
        let Some(&frame) = self.frame() else { return Ok(()) };
        self.task_end()?;
        self.task_begin(tag, number, frame.scope)?;
        if let Some(next) = self.frame_mut() {
            next.note = frame.note;
        }
        Ok(())
    }

    /// Whether an access belongs to an item that came before the given task, which runs: to one of those that the
    /// same scope joins.
    pub fn is_of_earlier_item(&self, task: TaskNumber, scope: ScopeNumber, id: Id) -> bool {
        let (Some(frame), Some(scope)) = (self.running.frame(task), self.running.scope(scope))
        else {
            return false;
        };
        let is_between = id >= scope.from && id < frame.begin;
        // Out of depth-first order, other tasks may have run in between.
        is_between && (!self.is_general() || self.is_inside_sibling(id, frame.begin))
    }

    /// Whether an access belongs to a task that the parent of the given one, by its beginning, has started, or to one
    /// inside that.
    fn is_inside_sibling(&self, id: Id, of: Id) -> bool {
        let numbering = &self.judge.numbering;
        let region = self.region();
        let parent = numbering.parent_of(of, region);
        let mut task = if id >= numbering.general_from {
            self.judge.strong.order.general.task_of(id)
        } else {
            numbering.task_around(id, region)
        };
        while task > parent {
            let above = numbering.parent_of(task, region);
            if above == parent {
                return task != of;
            }
            task = above;
        }
        false
    }

    /// Drops those conflicts of the last access that are not to be kept.
    pub fn retain_conflicts(&mut self, mut is_kept: impl FnMut(&Self, &Conflict) -> bool) {
        let mut kept = 0;
        for index in 0..self.judge.conflicts.all().len() {
            let conflict = self.judge.conflicts.all()[index];
            if is_kept(self, &conflict) {
                self.judge.conflicts.set(kept, conflict);
                kept += 1;
            }
        }
        self.judge.conflicts.truncate(kept);
    }
}
