//! What a run leaves behind for drawing: the oracle's graph, the statements of each step with the
//! locals before each, the task tree, and where promises were made, set and got.

use rosser_detect::oracle::Oracle;
use rosser_detect::{
    Access, Detail, Detector, Event, LocId, PromiseId, SiteId, StepId, TaskId, TaskKind,
};
use rustc_hash::FxHashMap;

use super::MAX_STEPS_DRAWN;
use crate::machine::{Observer, Value};
use crate::program::{Op, Program, Slot};

/// What a node of the tree stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Leaf {
    Finish,
    Task(TaskId),
    Step(StepId),
    /// The empty task of a promise, and its only step.
    PromiseTask,
    PromiseStep(PromiseId),
}

/// A statement as it was executed.
#[derive(Clone, Debug)]
pub(super) struct Executed {
    pub(super) site: SiteId,
    /// The locals in sight before it, as `{x:r y:p a:0}`.
    pub(super) locals: String,
}

pub(super) struct Recorder<'p> {
    program: &'p Program,
    pub(super) oracle: Oracle,
    /// The statements of each step, one by one; not complete if there are too many.
    pub(super) statements: Vec<Vec<Executed>>,
    /// How many those are.
    executed: usize,
    /// The distinct statements of each step, in the order of their first execution, and how often
    /// each was executed.
    pub(super) times: Vec<Vec<(SiteId, usize)>>,
    /// Where each promise was set.
    pub(super) sets: FxHashMap<PromiseId, StepId>,
    /// The steps that began with a get.
    pub(super) gets: Vec<(PromiseId, StepId)>,
    /// For each promise: the step and the number of the statement in it that made it. A future's
    /// has none.
    pub(super) made: Vec<Option<(StepId, usize)>>,
    /// The names of each task's locals.
    names: Vec<Vec<(Slot, String)>>,
    pub(super) tree: Vec<(Option<usize>, Leaf)>,
    /// For each task, its node and those of its open scopes, innermost last.
    inside: Vec<Vec<usize>>,
    current: TaskId,
    /// The step that the tree last got a leaf for, by task.
    last_leaf: Vec<Option<StepId>>,
}

impl<'p> Recorder<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        Self {
            program,
            oracle: Oracle::new(Detail::Pairs),
            statements: Vec::new(),
            executed: 0,
            times: Vec::new(),
            sets: FxHashMap::default(),
            gets: Vec::new(),
            made: Vec::new(),
            names: vec![Vec::new()],
            tree: vec![(None, Leaf::Finish)],
            inside: vec![vec![0]],
            current: TaskId::MAIN,
            last_leaf: vec![None],
        }
    }

    fn add(&mut self, leaf: Leaf) -> usize {
        let parent = *self.inside[self.current.index()].last().expect("a task has a node");
        self.tree.push((Some(parent), leaf));
        self.tree.len() - 1
    }

    /// Whether there is more than can be drawn. Nothing is kept from then on.
    pub(super) fn is_full(&self) -> bool {
        self.oracle.steps() > MAX_STEPS_DRAWN
    }

    /// Whether the statements, one by one, are not more than can be drawn.
    pub(super) fn has_all_statements(&self) -> bool {
        self.executed <= MAX_STEPS_DRAWN
    }

    /// The current task's locals, as in Figure 4.
    fn show_locals(&self, locals: &[Value]) -> String {
        let names = self.names[self.current.index()].iter();
        let shown = names.filter_map(|(slot, name)| {
            let value = match locals.get(slot.0 as usize)? {
                Value::Int(number) => number.to_string(),
                Value::Cell(_) | Value::Array(_) => "r".to_owned(),
                Value::Promise(_) | Value::Future(_) => "p".to_owned(),
                Value::Semaphore(_) => "s".to_owned(),
            };
            Some(format!("{name}:{value}"))
        });
        format!("{{{}}}", shown.collect::<Vec<_>>().join(" "))
    }

    /// A binding brings a name into sight, and those of inner scopes that ended out of it.
    fn bind_name(&mut self, site: SiteId) {
        let slot = match &self.program.ops[site.index()] {
            Op::Assign(slot, _)
            | Op::Alloc(slot)
            | Op::Array(slot, _)
            | Op::Load(slot, _)
            | Op::NewPromise(slot)
            | Op::NewSemaphore(slot, _)
            | Op::Fork { handle: Some(slot), .. } => *slot,
            _ => return,
        };
        let names = &mut self.names[self.current.index()];
        names.retain(|(other, _)| *other < slot);
        let name = self.program.bound_name(site);
        if !name.is_empty() {
            names.push((slot, name.to_owned()));
        }
    }

    /// A leaf for the current step, when something happens in it for the first time.
    fn add_step(&mut self) {
        let step = self.oracle.current_step();
        if self.last_leaf[self.current.index()] != Some(step) {
            self.last_leaf[self.current.index()] = Some(step);
            self.add(Leaf::Step(step));
        }
    }
}

impl Observer for Recorder<'_> {
    fn statement(&mut self, site: SiteId, locals: &[Value]) {
        if self.is_full() {
            return;
        }
        if is_shown(self.program, site) {
            self.add_step();
            let step = self.oracle.current_step();
            if self.statements.len() <= step.index() {
                self.statements.resize(step.index() + 1, Vec::new());
                self.times.resize(step.index() + 1, Vec::new());
            }
            let times = &mut self.times[step.index()];
            match times.iter_mut().find(|(seen, _)| *seen == site) {
                Some((_, count)) => *count += 1,
                None => times.push((site, 1)),
            }
            self.executed += 1;
            if self.has_all_statements() {
                let locals = self.show_locals(locals);
                self.statements[step.index()].push(Executed { site, locals });
            }
            if matches!(self.program.ops[site.index()], Op::NewPromise(_)) {
                let position = self.statements[step.index()].len().saturating_sub(1);
                self.made.push(Some((step, position)));
            }
        }
        self.bind_name(site);
    }

    fn event(&mut self, event: Event, _: SiteId) {
        if self.is_full() {
            return;
        }
        match event {
            Event::Fork { child, kind } => {
                if kind == TaskKind::Future {
                    self.made.push(None);
                }
                self.names.push(self.names[self.current.index()].clone());
                let node = self.add(Leaf::Task(child));
                self.inside.push(vec![node]);
                self.last_leaf.push(None);
            }
            Event::Switch { to } => self.current = to,
            Event::ScopeBegin { .. } => {
                let node = self.add(Leaf::Finish);
                self.inside[self.current.index()].push(node);
            }
            Event::ScopeEnd { .. } => {
                self.inside[self.current.index()].pop();
            }
            Event::Set { promise } => {
                self.sets.insert(promise, self.oracle.current_step());
                let node = self.add(Leaf::PromiseTask);
                self.tree.push((Some(node), Leaf::PromiseStep(promise)));
            }
            _ => {}
        }
        self.oracle.event(event);
        if let Event::Get { promise } = event {
            self.gets.push((promise, self.oracle.current_step()));
            self.add_step();
        }
    }

    fn access(&mut self, location: LocId, access: Access, site: SiteId) {
        if !self.is_full() {
            self.oracle.access(location, access, site);
        }
    }
}

/// Whether an instruction is a statement that somebody wrote, and not the machinery of a loop or
/// the end of a body.
fn is_shown(program: &Program, site: SiteId) -> bool {
    match &program.ops[site.index()] {
        Op::Jump(_) | Op::End | Op::EndIsolated | Op::EndScope(_) => false,
        Op::Assign(..) => !program.bound_name(site).is_empty(),
        Op::Sync => !matches!(program.ops.get(site.index() + 1), Some(Op::End)),
        _ => true,
    }
}
