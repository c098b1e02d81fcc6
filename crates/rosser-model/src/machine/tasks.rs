//! Tasks and the scopes that join them.

use rosser_detect::{Event, PromiseId, SiteId, TaskId, TaskKind};

use super::{Machine, Observer, OpenScope, Progress, RuntimeError, Scope, ScopeId, Task, Wait};
use crate::program::{Op, Opened, Pc};

impl Machine<'_> {
    pub(super) fn fork(
        &mut self,
        parent: TaskId,
        kind: TaskKind,
        body: Pc,
        captured: u32,
        site: SiteId,
        observer: &mut impl Observer,
    ) -> TaskId {
        let top = self.tasks[parent.index()].open.last();
        if kind == TaskKind::Spawn && top.is_none_or(|open| open.opened != Opened::Spawn) {
            self.open_scope(parent, Opened::Spawn, site, observer);
        }
        let child = TaskId::from_index(self.tasks.len());
        let promise = (kind == TaskKind::Future).then(|| self.new_promise(parent, site, true));
        let state = &mut self.tasks[parent.index()];
        let joined_by = state.open.last().map_or(state.joined_by, |open| open.scope);
        let ordinal = state.children;
        state.children += 1;
        let captured = (captured as usize).min(state.locals.len());
        let locals = state.locals[..captured].to_vec();
        self.scopes[joined_by.0 as usize].running += 1;
        self.tasks.push(Task {
            pc: body,
            locals,
            joined_by,
            open: Vec::new(),
            promise,
            ended: false,
            parent: Some(parent),
            kind,
            site,
            ordinal,
            children: 0,
            allocations: 0,
        });
        observer.event(Event::Fork { child, kind }, site);
        child
    }

    pub(super) fn open_scope(
        &mut self,
        task: TaskId,
        opened: Opened,
        site: SiteId,
        observer: &mut impl Observer,
    ) {
        let scope = ScopeId(self.scopes.len() as u32);
        self.scopes.push(Scope { owner: task, running: 0 });
        self.tasks[task.index()].open.push(OpenScope { scope, opened, site });
        observer.event(Event::ScopeBegin { kind: opened.kind() }, site);
    }

    /// Closes the innermost scope. An open sync block inside a finish is closed first, by the same
    /// instruction, which is then executed once more.
    pub(super) fn end_scope(
        &mut self,
        task: TaskId,
        opened: Opened,
        site: SiteId,
        observer: &mut impl Observer,
    ) -> Result<(), RuntimeError> {
        match self.tasks[task.index()].open.last() {
            Some(open) if open.opened == opened => self.close_innermost(task, site, observer),
            Some(open) if open.opened == Opened::Spawn => {
                self.close_innermost(task, site, observer);
                self.tasks[task.index()].pc = site.0;
            }
            Some(open) if open.opened == Opened::Begin => {
                return Err(RuntimeError::StillOpen { began: open.site, site });
            }
            _ => return Err(RuntimeError::NothingToEnd { site }),
        }
        Ok(())
    }

    pub(super) fn close_innermost(
        &mut self,
        task: TaskId,
        site: SiteId,
        observer: &mut impl Observer,
    ) {
        let open = self.tasks[task.index()].open.pop().expect("the caller looked");
        observer.event(Event::ScopeEnd { kind: open.opened.kind() }, site);
    }

    pub(super) fn sync(
        &mut self,
        task: TaskId,
        site: SiteId,
        observer: &mut impl Observer,
    ) -> Result<(), RuntimeError> {
        let open = &self.tasks[task.index()].open;
        match open.last() {
            Some(top) if top.opened == Opened::Spawn => {
                self.close_innermost(task, site, observer);
            }
            Some(top) => {
                let is_implicit = matches!(self.next_op(task), Op::End);
                if is_implicit && top.opened == Opened::Begin {
                    return Err(RuntimeError::StillOpen { began: top.site, site });
                }
                if let Some(spawned) = open.iter().find(|open| open.opened == Opened::Spawn) {
                    return Err(RuntimeError::SyncAcrossFinish { spawned: spawned.site, site });
                }
            }
            None => {}
        }
        Ok(())
    }

    pub(super) fn end(
        &mut self,
        task: TaskId,
        site: SiteId,
        observer: &mut impl Observer,
    ) -> Result<Progress, RuntimeError> {
        let state = &mut self.tasks[task.index()];
        if let Some(open) = state.open.last() {
            return Err(RuntimeError::StillOpen { began: open.site, site });
        }
        state.ended = true;
        state.locals = Vec::new();
        let (promise, joined_by) = (state.promise, state.joined_by);
        if let Some(promise) = promise {
            self.promises[promise.index()].set_at = Some(site);
            observer.event(Event::Set { promise }, site);
        }
        self.scopes[joined_by.0 as usize].running -= 1;
        observer.event(Event::End, site);
        Ok(Progress::Ended(promise))
    }

    pub(super) fn wait_for_innermost(&self, state: &Task) -> Option<Wait> {
        let scope = state.open.last()?.scope;
        (self.scopes[scope.0 as usize].running > 0).then_some(Wait::Scope(scope))
    }

    /// The task whose end sets a promise, if the promise stands for a future.
    pub fn task_of_future(&self, promise: PromiseId) -> Option<TaskId> {
        self.tasks.iter().position(|task| task.promise == Some(promise)).map(TaskId::from_index)
    }

    /// The scope that joins a task, if all tasks in it have ended.
    pub fn emptied_scope(&self, ended: TaskId) -> Option<ScopeId> {
        let scope = self.tasks[ended.index()].joined_by;
        (self.scopes[scope.0 as usize].running == 0).then_some(scope)
    }

    /// Who opened a scope.
    pub fn scope_owner(&self, scope: ScopeId) -> TaskId {
        self.scopes[scope.0 as usize].owner
    }
}
