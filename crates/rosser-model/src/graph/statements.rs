//! The computation graph with statements as nodes (Figure 4): each with the locals before it, and
//! promises first unfulfilled, then fulfilled.

use crate::draw::{Edge, EdgeKind as Line, Node, NodeKind, Picture};
use rosser_detect::{PromiseId, SiteId, StepId};

use super::Drawing;

impl Drawing<'_> {
    pub(super) fn statements(&self) -> Picture {
        let oracle = &self.recorder.oracle;
        let mut picture = self.blank();
        // The nodes of each step: its first and one past its last.
        let mut nodes_of: Vec<(usize, usize)> = Vec::new();
        for index in 0..oracle.steps() {
            let step = StepId::from_index(index);
            let first = picture.nodes.len();
            self.add_step(step, &mut picture);
            nodes_of.push((first, picture.nodes.len()));
            for (from, kind) in self.lines_into(step) {
                picture.edges.push(Edge { from: nodes_of[from.index()].1 - 1, to: first, kind });
            }
        }
        self.add_promises(&nodes_of, &mut picture);
        let node = |step: StepId, site: SiteId| {
            let executed = self.recorder.statements.get(step.index())?;
            let position = executed.iter().position(|executed| executed.site == site)?;
            Some(nodes_of[step.index()].0 + position)
        };
        picture.races = self.race_links(|conflict| {
            let (first, second) = (conflict.race.first.site, conflict.race.second.site);
            (node(conflict.first, first), node(conflict.second, second))
        });
        for index in 0..picture.races.len() {
            let (a, b) = (picture.races[index].a, picture.races[index].b);
            picture.nodes[a].racy = true;
            picture.nodes[b].racy = true;
        }
        picture
    }

    /// The statements of a step in a row, or one empty node if there are none.
    fn add_step(&self, step: StepId, picture: &mut Picture) {
        let lane = self.recorder.oracle.task(step).index();
        let executed = self.recorder.statements.get(step.index()).map_or(&[][..], Vec::as_slice);
        for (position, statement) in executed.iter().enumerate() {
            if position > 0 {
                let to = picture.nodes.len();
                picture.edges.push(Edge { from: to - 1, to, kind: Line::Continue });
            }
            let title = self.statement(statement.site);
            picture.nodes.push(Node::step(lane, title, [statement.locals.clone()]));
        }
        if executed.is_empty() {
            let oracle = &self.recorder.oracle;
            let mut later = (step.index() + 1..oracle.steps()).map(StepId::from_index);
            let goes_on = later.any(|later| oracle.task(later).index() == lane);
            picture.nodes.push(Node::step(lane, if goes_on { "·" } else { "return" }, [""; 0]));
        }
    }

    fn add_promises(&self, nodes_of: &[(usize, usize)], picture: &mut Picture) {
        for (index, made) in self.recorder.made.iter().enumerate() {
            let promise = PromiseId::from_index(index);
            let name = self.promise_name(promise);
            let unfulfilled = made.map(|(step, position)| {
                let lane = self.recorder.oracle.task(step).index();
                let mut node = Node::promise(lane, format!("Unful({name})"));
                node.kind = NodeKind::UnfulfilledPromise;
                let to = picture.nodes.len();
                picture.nodes.push(node);
                let from = nodes_of[step.index()].0 + position;
                picture.edges.push(Edge { from, to, kind: Line::NewPromise });
                to
            });
            let Some(set_at) = self.recorder.sets.get(&promise) else { continue };
            let lane = self.recorder.oracle.task(*set_at).index();
            let fulfilled = picture.nodes.len();
            picture.nodes.push(Node::promise(lane, format!("Ful({name})")));
            if let Some(from) = unfulfilled {
                picture.edges.push(Edge { from, to: fulfilled, kind: Line::Continue });
            }
            let from = nodes_of[set_at.index()].1 - 1;
            picture.edges.push(Edge { from, to: fulfilled, kind: Line::Set });
            for (_, step) in self.recorder.gets.iter().filter(|(got, _)| *got == promise) {
                let to = nodes_of[step.index()].0;
                picture.edges.push(Edge { from: fulfilled, to, kind: Line::Join });
            }
        }
    }
}
