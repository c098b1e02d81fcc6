//! A serial run as a picture (Jin et al. 2023): the computation graph with statements or with steps
//! as nodes (Figures 4 and 6), or the tree of tasks (Figure 7); races in red.

mod recorder;
mod statements;
mod steps;

use crate::draw::{EdgeKind as Line, Picture, RaceLink, Tree};
use recorder::Recorder;
use rosser_detect::oracle::{Conflict, EdgeKind};
use rosser_detect::{Class, PromiseId, SiteId, StepId, TaskId};
use rustc_hash::FxHashSet;

use crate::check::{task_name, task_word, variable};
use crate::machine::Machine;
use crate::program::Program;
use crate::serial::{Outcome, run};
use crate::source::Source;

/// The most steps, or statements, that are drawn; beyond that nobody can read the picture.
pub const MAX_STEPS_DRAWN: usize = 2_000;

/// A run, ready to be drawn.
#[derive(Debug)]
pub struct Graph {
    /// Statements as nodes, with the locals before each; tasks as columns, promises between them.
    /// Absent if there are too many.
    pub statements: Option<Picture>,
    /// The same with steps as nodes.
    pub steps: Picture,
    /// Async and finish nodes inside, steps as leaves.
    pub dpst: Tree,
    /// How the run ended.
    pub outcome: Outcome,
}

/// Runs a program and draws it, unless it has too many steps.
pub fn graph(program: &Program, source: &Source, max_steps: u64) -> Option<Graph> {
    let mut machine = Machine::new(program);
    let mut recorder = Recorder::new(program);
    let outcome = run(&mut machine, &mut recorder, max_steps);
    if recorder.is_full() {
        return None;
    }
    let drawing = Drawing { machine: &machine, recorder: &recorder, source };
    let statements = recorder.has_all_statements().then(|| drawing.statements());
    Some(Graph { statements, steps: drawing.steps(), dpst: drawing.dpst(), outcome })
}

struct Drawing<'a> {
    machine: &'a Machine<'a>,
    recorder: &'a Recorder<'a>,
    source: &'a Source,
}

impl Drawing<'_> {
    fn lines(&self, step: StepId) -> Vec<String> {
        // A statement in a loop is shown once, with how often it ran.
        let times = self.recorder.times.get(step.index()).map_or(&[][..], Vec::as_slice);
        times
            .iter()
            .map(|(site, count)| {
                let times = if *count > 1 { format!("  ×{count}") } else { String::new() };
                format!("{}{times}", self.statement(*site))
            })
            .collect()
    }

    /// A statement with its line.
    fn statement(&self, site: SiteId) -> String {
        let span = self.machine.program().span(site);
        let line = self.source.position(span.start).line;
        let words: Vec<&str> = self.source.slice(span).split_whitespace().collect();
        format!("{line}: {}", words.join(" "))
    }

    fn task_title(&self, task: TaskId) -> String {
        if task == TaskId::MAIN {
            return task_name(task);
        }
        let state = &self.machine.tasks()[task.index()];
        let line = self.source.position(self.machine.program().span(state.site).start).line;
        format!("{} ({}, line {line})", task_name(task), task_word(state.kind))
    }

    fn promise_name(&self, promise: PromiseId) -> String {
        let made_at = self.machine.promise(promise).made_at;
        self.machine.program().bound_name(made_at).to_owned()
    }

    /// A computation graph with its lanes and nothing in them.
    fn blank(&self) -> Picture {
        let lanes = 0..self.machine.tasks().len();
        Picture {
            title: format!("Computation graph of {}", self.source.name()),
            lanes: lanes.map(|task| self.task_title(TaskId::from_index(task))).collect(),
            ..Picture::default()
        }
    }

    /// The edges into a step, but for those from promises, which have nodes of their own.
    fn lines_into(&self, step: StepId) -> impl Iterator<Item = (StepId, Line)> {
        self.recorder.oracle.edges_into(step).iter().filter_map(|(from, kind)| {
            let line = match kind {
                EdgeKind::Continue => Line::Continue,
                EdgeKind::Fork => Line::Fork,
                EdgeKind::Join => Line::Join,
                EdgeKind::Lock | EdgeKind::Semaphore => Line::Weak,
                EdgeKind::Promise => return None,
            };
            Some((*from, line))
        })
    }

    fn racy_steps(&self) -> FxHashSet<StepId> {
        let conflicts = self.recorder.oracle.conflicts().iter();
        conflicts.flat_map(|conflict| [conflict.first, conflict.second]).collect()
    }

    /// One link for each pair of nodes and variable.
    fn race_links(
        &self,
        ends_of: impl Fn(&Conflict) -> (Option<usize>, Option<usize>),
    ) -> Vec<RaceLink> {
        let mut seen = FxHashSet::default();
        let mut links = Vec::new();
        for conflict in self.recorder.oracle.conflicts() {
            let mut label = variable(self.machine, conflict.race.location);
            if conflict.race.class() == Class::OrderDependent {
                label.push_str(" (order)");
            }
            if let (Some(a), Some(b)) = ends_of(conflict)
                && seen.insert((a, b, label.clone()))
            {
                links.push(RaceLink { a, b, label });
            }
        }
        links
    }
}
