//! The computation graph with steps as nodes (Figure 6), and the task tree (Figure 7).

use crate::draw::{Edge, EdgeKind as Line, Node, Picture, Tree, TreeKind, TreeNode};
use rosser_detect::StepId;

use super::Drawing;
use super::recorder::Leaf;

impl Drawing<'_> {
    pub(super) fn steps(&self) -> Picture {
        let recorder = self.recorder;
        let oracle = &recorder.oracle;
        let racy = self.racy_steps();
        let mut picture = self.blank();
        for index in 0..oracle.steps() {
            let step = StepId::from_index(index);
            let lane = oracle.task(step).index();
            let mut node = Node::step(lane, format!("S{index}"), self.lines(step));
            node.racy = racy.contains(&step);
            picture.nodes.push(node);
            for (from, kind) in self.lines_into(step) {
                picture.edges.push(Edge { from: from.index(), to: index, kind });
            }
        }
        let mut promises: Vec<_> = recorder.sets.iter().collect();
        promises.sort();
        for (promise, set_at) in promises {
            let node = picture.nodes.len();
            let lane = oracle.task(*set_at).index();
            picture.nodes.push(Node::promise(lane, self.promise_name(*promise)));
            picture.edges.push(Edge { from: set_at.index(), to: node, kind: Line::Set });
            for (_, step) in recorder.gets.iter().filter(|(got, _)| got == promise) {
                picture.edges.push(Edge { from: node, to: step.index(), kind: Line::Join });
            }
        }
        picture.races = self
            .race_links(|conflict| (Some(conflict.first.index()), Some(conflict.second.index())));
        picture
    }

    pub(super) fn dpst(&self) -> Tree {
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
            races: self
                .race_links(|conflict| (step_node(conflict.first), step_node(conflict.second))),
        }
    }
}
