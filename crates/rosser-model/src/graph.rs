//! A serial run as a picture: the computation graph or the tree of tasks (Jin et al. 2023, Figures
//! 6 and 7), races in red.
//!
//! The oracle builds the graph; this module only remembers which statements each step executed and
//! where promises were set and got.

use rosser_core::oracle::{EdgeKind, Oracle};
use rosser_core::{
    Access, Class, Detail, Detector, Event, LocId, PromiseId, SiteId, StepId, TaskId,
};
use rosser_draw::{Edge, Node, NodeKind, Picture, RaceLink, Tree, TreeKind, TreeNode};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::check::{task_name, task_word, variable};
use crate::machine::{Machine, Observer};
use crate::program::{Op, Program};
use crate::serial::{Outcome, run};
use crate::source::Source;

/// The most steps that are drawn; beyond that nobody can read the picture.
pub const MAX_STEPS_DRAWN: usize = 2_000;

/// A run, ready to be drawn.
#[derive(Debug)]
pub struct Graph {
    /// Steps as nodes, tasks as columns, promises between them.
    pub computation: Picture,
    /// Async and finish nodes inside, steps as leaves.
    pub dpst: Tree,
    /// How the run ended.
    pub outcome: Outcome,
}

/// A run with too many steps to draw.
#[derive(Clone, Copy, Debug)]
pub struct TooLarge {
    /// How many steps it has.
    pub steps: usize,
}

/// Runs a program and draws it.
pub fn graph(program: &Program, source: &Source, max_steps: u64) -> Result<Graph, TooLarge> {
    let mut machine = Machine::new(program);
    let mut recorder = Recorder::new(program);
    let outcome = run(&mut machine, &mut recorder, max_steps);
    if recorder.oracle.steps() > MAX_STEPS_DRAWN {
        return Err(TooLarge { steps: recorder.oracle.steps() });
    }
    let drawing = Drawing { machine: &machine, recorder: &recorder, source };
    Ok(Graph { computation: drawing.computation(), dpst: drawing.dpst(), outcome })
}

/// What a node of the tree stands for.
#[derive(Clone, Copy, Debug)]
enum Leaf {
    Finish,
    Task(TaskId),
    Step(StepId),
    /// The empty task of a promise, and its only step.
    PromiseTask,
    PromiseStep(PromiseId),
}

struct Recorder<'p> {
    program: &'p Program,
    oracle: Oracle,
    /// The statements of each step.
    statements: Vec<Vec<SiteId>>,
    /// Where each promise was set.
    sets: FxHashMap<PromiseId, StepId>,
    /// The steps that began with a get.
    gets: Vec<(PromiseId, StepId)>,
    tree: Vec<(Option<usize>, Leaf)>,
    /// For each task, its node and those of its open scopes, innermost last.
    inside: Vec<Vec<usize>>,
    current: TaskId,
    /// The step that the tree last got a leaf for, by task.
    last_leaf: Vec<Option<StepId>>,
}

impl<'p> Recorder<'p> {
    fn new(program: &'p Program) -> Self {
        Self {
            program,
            oracle: Oracle::new(Detail::Pairs),
            statements: Vec::new(),
            sets: FxHashMap::default(),
            gets: Vec::new(),
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
    fn statement(&mut self, site: SiteId) {
        if is_shown(self.program, site) {
            self.add_step();
            let step = self.oracle.current_step().index();
            if self.statements.len() <= step {
                self.statements.resize(step + 1, Vec::new());
            }
            self.statements[step].push(site);
        }
    }

    fn event(&mut self, event: Event, _: SiteId) {
        match event {
            Event::Fork { child, .. } => {
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
        self.oracle.access(location, access, site);
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

struct Drawing<'a> {
    machine: &'a Machine<'a>,
    recorder: &'a Recorder<'a>,
    source: &'a Source,
}

impl Drawing<'_> {
    fn lines(&self, step: StepId) -> Vec<String> {
        let sites = self.recorder.statements.get(step.index()).map_or(&[][..], Vec::as_slice);
        // A statement in a loop is shown once, with how often it ran.
        let mut times: Vec<(SiteId, usize)> = Vec::new();
        for site in sites {
            match times.iter_mut().find(|(seen, _)| seen == site) {
                Some((_, count)) => *count += 1,
                None => times.push((*site, 1)),
            }
        }
        times
            .iter()
            .map(|(site, count)| {
                let span = self.machine.program().span(*site);
                let line = self.source.position(span.start).line;
                let words: Vec<&str> = self.source.slice(span).split_whitespace().collect();
                let times = if *count > 1 { format!("  ×{count}") } else { String::new() };
                format!("{line}: {}{times}", words.join(" "))
            })
            .collect()
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

    fn racy_steps(&self) -> FxHashSet<StepId> {
        let conflicts = self.recorder.oracle.conflicts().iter();
        conflicts.flat_map(|conflict| [conflict.first, conflict.second]).collect()
    }

    /// One link for each pair of steps and variable.
    fn race_links(&self, node_of: impl Fn(StepId) -> Option<usize>) -> Vec<RaceLink> {
        let mut seen = FxHashSet::default();
        let mut links = Vec::new();
        for conflict in self.recorder.oracle.conflicts() {
            let mut label = variable(self.machine, conflict.race.location);
            if conflict.race.class() == Class::OrderDependent {
                label.push_str(" (order)");
            }
            let ends = (node_of(conflict.first), node_of(conflict.second));
            if let (Some(a), Some(b)) = ends
                && seen.insert((a, b, label.clone()))
            {
                links.push(RaceLink { a, b, label });
            }
        }
        links
    }

    fn computation(&self) -> Picture {
        let recorder = self.recorder;
        let oracle = &recorder.oracle;
        let racy = self.racy_steps();
        let lanes = 0..self.machine.tasks().len();
        let mut picture = Picture {
            title: format!("Computation graph of {}", self.source.name()),
            lanes: lanes.map(|task| self.task_title(TaskId::from_index(task))).collect(),
            ..Picture::default()
        };
        for index in 0..oracle.steps() {
            let step = StepId::from_index(index);
            let lane = oracle.task(step).index();
            let mut node = Node::step(lane, format!("S{index}"), self.lines(step));
            node.racy = racy.contains(&step);
            picture.nodes.push(node);
            for (from, kind) in oracle.edges_into(step) {
                let kind = match kind {
                    EdgeKind::Continue => rosser_draw::EdgeKind::Continue,
                    EdgeKind::Fork => rosser_draw::EdgeKind::Fork,
                    EdgeKind::Join => rosser_draw::EdgeKind::Join,
                    EdgeKind::Lock | EdgeKind::Semaphore => rosser_draw::EdgeKind::Weak,
                    // Drawn through the promise's own node below.
                    EdgeKind::Promise => continue,
                };
                picture.edges.push(Edge { from: from.index(), to: index, kind });
            }
        }
        let mut promises: Vec<_> = recorder.sets.iter().collect();
        promises.sort();
        for (promise, set_at) in promises {
            let node = picture.nodes.len();
            let lane = oracle.task(*set_at).index();
            let mut shape = Node::promise(lane, self.promise_name(*promise));
            shape.kind = NodeKind::Promise;
            picture.nodes.push(shape);
            let kind = rosser_draw::EdgeKind::Set;
            picture.edges.push(Edge { from: set_at.index(), to: node, kind });
            for (_, step) in recorder.gets.iter().filter(|(got, _)| got == promise) {
                let kind = rosser_draw::EdgeKind::Join;
                picture.edges.push(Edge { from: node, to: step.index(), kind });
            }
        }
        picture.races = self.race_links(|step| Some(step.index()));
        picture
    }

    fn dpst(&self) -> Tree {
        let recorder = self.recorder;
        let racy = self.racy_steps();
        let mut finishes = 0;
        let nodes = recorder.tree.iter().map(|(parent, leaf)| {
            let (kind, title, lines) = match *leaf {
                Leaf::Finish => {
                    finishes += 1;
                    (TreeKind::Finish, format!("F{}", finishes - 1), Vec::new())
                }
                Leaf::Task(task) => (TreeKind::Async, self.task_title(task), Vec::new()),
                Leaf::Step(step) => {
                    (TreeKind::Step, format!("S{}", step.index()), self.lines(step))
                }
                Leaf::PromiseTask => (TreeKind::Async, "set".to_owned(), Vec::new()),
                Leaf::PromiseStep(promise) => {
                    (TreeKind::Step, self.promise_name(promise), Vec::new())
                }
            };
            let racy = matches!(leaf, Leaf::Step(step) if racy.contains(step));
            TreeNode { parent: *parent, kind, title, lines, racy }
        });
        let nodes = nodes.collect();
        let place = |wanted: &dyn Fn(&Leaf) -> bool| {
            recorder.tree.iter().position(|(_, leaf)| wanted(leaf))
        };
        let step_node =
            |step: StepId| place(&|leaf| matches!(leaf, Leaf::Step(other) if *other == step));
        let joins = recorder.gets.iter().filter_map(|(promise, step)| {
            let from = place(&|leaf| matches!(leaf, Leaf::PromiseStep(other) if other == promise))?;
            Some((from, step_node(*step)?))
        });
        Tree {
            title: format!("Task tree (DPST) of {}", self.source.name()),
            nodes,
            joins: joins.collect(),
            races: self.race_links(step_node),
        }
    }
}
