//! The description of a computation graph, as the caller states it.
//!
//! The types are plain data so that any front end can fill them in; all the decisions about
//! where things go are taken by the layout modules.

use crate::draw::{dot, layout_lanes, svg};

/// A computation graph: steps and promises in lanes, edges that order them, races between them.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// The heading of the picture; it may be empty.
    pub title: String,
    /// The names of the lanes (one per task), from left to right.
    pub lanes: Vec<String>,
    /// The nodes. Edges and race links refer to them by index.
    pub nodes: Vec<Node>,
    /// The ordering edges. Edges with an end that is not a node are ignored.
    pub edges: Vec<Edge>,
    /// Pairs of unordered, conflicting nodes.
    pub races: Vec<RaceLink>,
}

/// One node of a computation graph.
#[derive(Clone, Debug)]
pub struct Node {
    /// Index into [`Picture::lanes`]. Nodes of unknown lanes share one extra, unnamed lane.
    pub lane: usize,
    /// What the node stands for, which decides its shape.
    pub kind: NodeKind,
    /// A short name such as `S3`, set in bold.
    pub title: String,
    /// Source statements, one per line. Only steps show them; others keep them as a tooltip.
    pub lines: Vec<String>,
    /// Whether the node takes part in a race, and is to be drawn in red.
    pub racy: bool,
}

impl Node {
    /// A step of a task, not racy.
    pub fn step<L: Into<String>>(
        lane: usize,
        title: impl Into<String>,
        lines: impl IntoIterator<Item = L>,
    ) -> Self {
        let lines = lines.into_iter().map(Into::into).collect();
        Self { lane, kind: NodeKind::Step, title: title.into(), lines, racy: false }
    }

    /// A promise, placed in the lane of the task that sets it.
    pub fn promise(lane: usize, title: impl Into<String>) -> Self {
        Self { lane, kind: NodeKind::Promise, title: title.into(), lines: Vec::new(), racy: false }
    }
}

/// What a node of a computation graph stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NodeKind {
    /// A maximal run of statements without synchronisation: a rounded box with text.
    Step,
    /// A promise that was set: an ellipse.
    Promise,
    /// A promise that nobody set: a dashed ellipse.
    UnfulfilledPromise,
    /// A point where tasks come together: a small pill.
    Join,
}

/// A directed edge of a computation graph.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Index of the node that comes first.
    pub from: usize,
    /// Index of the node that comes after.
    pub to: usize,
    /// Why the two are ordered.
    pub kind: EdgeKind,
}

/// Why one node comes before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeKind {
    /// The next step of the same task.
    Continue,
    /// The first step of a new task.
    Fork,
    /// A wait that was answered: by the end of a task, or by a promise.
    Join,
    /// A step sets a promise.
    Set,
    /// A step creates a promise.
    NewPromise,
    /// A lock or semaphore was handed over; true of this execution only.
    Weak,
}

impl EdgeKind {
    /// Every kind, in the order of the legend.
    pub const ALL: [Self; 6] =
        [Self::Continue, Self::Fork, Self::Join, Self::Set, Self::NewPromise, Self::Weak];

    /// The name shown in legends and tooltips.
    pub fn name(self) -> &'static str {
        match self {
            Self::Continue => "continue",
            Self::Fork => "fork",
            Self::Join => "join",
            Self::Set => "set",
            Self::NewPromise => "new promise",
            Self::Weak => "hand-over",
        }
    }
}

/// Two nodes that race with each other. Links between the same two nodes are drawn as one.
#[derive(Clone, Debug)]
pub struct RaceLink {
    /// Index of one of the nodes.
    pub a: usize,
    /// Index of the other.
    pub b: usize,
    /// What they race on, usually the name of a variable; it may be empty.
    pub label: String,
}

impl Picture {
    /// The picture as a self-contained SVG document.
    pub fn to_svg(&self) -> String {
        svg::render(&layout_lanes::lay_out(self))
    }

    /// The picture as Graphviz input.
    pub fn to_dot(&self) -> String {
        dot::picture(self)
    }

    /// The edges whose two ends exist.
    pub(crate) fn sound_edges(&self) -> Vec<Edge> {
        let count = self.nodes.len();
        self.edges.iter().copied().filter(|e| e.from < count && e.to < count).collect()
    }
}

/// Drops links with a missing end or with equal ends and merges those between the same two
/// nodes, because two parallel curves say no more than one with both labels.
pub(crate) fn merged_races(links: &[RaceLink], count: usize) -> Vec<RaceLink> {
    let mut merged: Vec<RaceLink> = Vec::new();
    let mut seen = std::collections::HashMap::new();
    for link in links.iter().filter(|l| l.a < count && l.b < count && l.a != l.b) {
        let pair = (link.a.min(link.b), link.a.max(link.b));
        let place = *seen.entry(pair).or_insert(merged.len());
        match merged.get_mut(place) {
            Some(known) if known.label.split(", ").any(|part| part == link.label) => {}
            Some(known) if known.label.is_empty() => known.label.clone_from(&link.label),
            Some(known) if !link.label.is_empty() => {
                known.label.push_str(", ");
                known.label.push_str(&link.label);
            }
            Some(_) => {}
            None => merged.push(link.clone()),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::{RaceLink, merged_races};

    fn link(a: usize, b: usize, label: &str) -> RaceLink {
        RaceLink { a, b, label: label.into() }
    }

    #[test]
    fn links_between_the_same_nodes_become_one() {
        let links = [link(0, 1, "x"), link(1, 0, "y"), link(0, 1, "x"), link(2, 1, "")];
        let merged = merged_races(&links, 3);
        assert_eq!(merged.len(), 2);
        assert_eq!(merged[0].label, "x, y");
    }

    #[test]
    fn dangling_and_reflexive_links_are_dropped() {
        assert!(merged_races(&[link(0, 9, "x"), link(1, 1, "y")], 3).is_empty());
    }
}
