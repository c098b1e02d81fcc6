//! The legend: one sample for every kind of line and shape that occurs, and no others.

use crate::draw::palette::{self, RACE};
use crate::draw::picture::{Edge, EdgeKind, NodeKind, Picture, RaceLink};
use crate::draw::scene::{Form, Sample};
use crate::draw::tree::{Tree, TreeKind};

/// The legend of a computation graph, given the edges and links that are drawn.
pub(crate) fn of_picture(picture: &Picture, edges: &[Edge], races: &[RaceLink]) -> Vec<Sample> {
    let shapes = [
        (NodeKind::Step, Form::Box, "step"),
        (NodeKind::Promise, Form::Ellipse, "promise"),
        (NodeKind::UnfulfilledPromise, Form::DashedEllipse, "unfulfilled promise"),
        (NodeKind::Join, Form::Pill, "join point"),
    ];
    let mut legend: Vec<Sample> = shapes
        .into_iter()
        .filter(|&(kind, ..)| picture.nodes.iter().any(|n| n.kind == kind && !n.racy))
        .map(|(kind, form, name)| Sample::Shape(form, palette::node(kind, false), name))
        .collect();
    if picture.nodes.iter().any(|node| node.racy) {
        legend.push(racy());
    }
    legend.extend(
        EdgeKind::ALL
            .into_iter()
            .filter(|&kind| edges.iter().any(|edge| edge.kind == kind))
            .map(|kind| Sample::Line(palette::edge(kind), kind.name())),
    );
    if !races.is_empty() {
        legend.push(Sample::Line(RACE, "race"));
    }
    legend
}

/// The legend of a task tree.
pub(crate) fn of_tree(tree: &Tree, joins: usize, races: &[RaceLink]) -> Vec<Sample> {
    let mut legend: Vec<Sample> = [TreeKind::Finish, TreeKind::Async, TreeKind::Step]
        .into_iter()
        .filter(|&kind| tree.nodes.iter().any(|n| n.kind == kind && !n.racy))
        .map(|kind| Sample::Shape(tree_form(kind), palette::tree_node(kind, false), kind.name()))
        .collect();
    if tree.nodes.iter().any(|node| node.racy) {
        legend.push(racy());
    }
    if joins > 0 {
        legend.push(Sample::Line(palette::NON_TREE_JOIN, "join not in the tree"));
    }
    if !races.is_empty() {
        legend.push(Sample::Line(RACE, "race"));
    }
    legend
}

/// The outline of a node of a task tree.
pub(crate) fn tree_form(kind: TreeKind) -> Form {
    match kind {
        TreeKind::Finish => Form::Ellipse,
        TreeKind::Async => Form::Hexagon,
        TreeKind::Step => Form::Box,
    }
}

fn racy() -> Sample {
    Sample::Shape(Form::Box, palette::node(NodeKind::Step, true), "racy step")
}

#[cfg(test)]
mod tests {
    use super::of_picture;
    use crate::draw::scene::Sample;
    use crate::draw::{Edge, EdgeKind, Node, Picture};

    #[test]
    fn only_what_occurs_is_listed() {
        let picture = Picture {
            nodes: vec![Node::step(0, "S1", ["a"]), Node::step(0, "S2", ["b"])],
            ..Picture::default()
        };
        let edges = [Edge { from: 0, to: 1, kind: EdgeKind::Continue }];
        let names: Vec<&str> = of_picture(&picture, &edges, &[])
            .iter()
            .map(|sample| match sample {
                Sample::Line(_, name) | Sample::Shape(_, _, name) => *name,
            })
            .collect();
        assert_eq!(names, ["step", "continue"]);
        assert!(of_picture(&Picture::default(), &[], &[]).is_empty());
    }
}
