//! Colours, dashes and arrow heads, in one place so that SVG, DOT and legend agree.
//!
//! The edge colours follow the Okabe-Ito set, which stays distinguishable under the common
//! colour-vision deficiencies; the arrow head and the dash repeat the distinction without
//! colour. Red is kept for races alone.

use crate::draw::picture::{EdgeKind, NodeKind};
use crate::draw::tree::TreeKind;

/// The end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Head {
    None,
    Filled,
    Hollow,
    Vee,
    Diamond,
    Dot,
}

impl Head {
    /// The Graphviz name.
    pub(crate) fn dot_name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Filled => "normal",
            Self::Hollow => "empty",
            Self::Vee => "vee",
            Self::Diamond => "diamond",
            Self::Dot => "odot",
        }
    }
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stroke {
    pub colour: &'static str,
    /// SVG dash pattern; empty for a solid line.
    pub dash: &'static str,
    /// Graphviz has no free dash patterns, so this is the nearest named style.
    pub dot_style: &'static str,
    pub width: f64,
    pub head: Head,
}

const fn stroke(
    colour: &'static str,
    dash: &'static str,
    dot_style: &'static str,
    head: Head,
) -> Stroke {
    Stroke { colour, dash, dot_style, width: 1.6, head }
}

/// The line of an edge kind.
pub(crate) fn edge(kind: EdgeKind) -> Stroke {
    match kind {
        EdgeKind::Continue => stroke("#444444", "", "solid", Head::Filled),
        EdgeKind::Fork => stroke("#0072b2", "", "solid", Head::Filled),
        EdgeKind::Join => stroke("#00805e", "", "solid", Head::Hollow),
        EdgeKind::Set => stroke("#7b3fa0", "", "solid", Head::Diamond),
        EdgeKind::NewPromise => stroke("#9a6fb8", "2 3", "dotted", Head::Vee),
        EdgeKind::Weak => stroke("#a66a00", "8 3 2 3", "dashed", Head::Dot),
    }
}

/// The line of a race link.
pub(crate) const RACE: Stroke =
    Stroke { colour: RACE_COLOUR, dash: "6 4", dot_style: "dashed", width: 2.0, head: Head::None };

/// The line of a join that a task tree cannot express.
pub(crate) const NON_TREE_JOIN: Stroke = stroke("#00805e", "4 3", "dashed", Head::Hollow);

/// The line from a parent to a child of a task tree.
pub(crate) const TREE_EDGE: Stroke = stroke("#6b7280", "", "solid", Head::None);

/// The red of races: links, labels and outlines.
pub(crate) const RACE_COLOUR: &str = "#cc0022";
/// Body text.
pub(crate) const INK: &str = "#1f2328";
/// Headings of lanes.
pub(crate) const MUTED: &str = "#4b5563";
/// The sheet itself; stated explicitly so that dark viewers do not show through.
pub(crate) const PAPER: &str = "#ffffff";
/// The background of a lane.
pub(crate) const LANE: &str = "#f1f4f8";

/// Interior and outline of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Paint {
    pub fill: &'static str,
    pub line: &'static str,
}

const RACY: Paint = Paint { fill: "#ffe3e6", line: RACE_COLOUR };
const STEP: Paint = Paint { fill: "#ffffff", line: "#57606a" };

/// The colours of a node of a computation graph.
pub(crate) fn node(kind: NodeKind, racy: bool) -> Paint {
    match kind {
        _ if racy => RACY,
        NodeKind::Step => STEP,
        NodeKind::Promise => Paint { fill: "#f0e6f7", line: "#7b3fa0" },
        NodeKind::UnfulfilledPromise => Paint { fill: "#fbf8fd", line: "#7b3fa0" },
        NodeKind::Join => Paint { fill: "#d9efe8", line: "#00805e" },
    }
}

/// The colours of a node of a task tree.
pub(crate) fn tree_node(kind: TreeKind, racy: bool) -> Paint {
    match kind {
        _ if racy => RACY,
        TreeKind::Finish => Paint { fill: "#d9efe8", line: "#00805e" },
        TreeKind::Async => Paint { fill: "#dcebf7", line: "#0072b2" },
        TreeKind::Step => STEP,
    }
}
