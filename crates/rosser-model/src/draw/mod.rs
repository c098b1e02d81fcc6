//! Readable pictures of computation graphs and task trees, as SVG and DOT text.
//!
//! A race report is easier to believe when the reader can see which two steps are unordered and
//! which edges would have ordered them. This module draws exactly that, and nothing else: it is
//! given boxes, edges and race links, knows nothing of the analysed language, does no I/O and
//! starts no external program.
//!
//! * [`Picture`] is a *computation graph*: one column per task, time running downwards.
//! * [`Tree`] is a *task tree* (a DPST): internal finish and async nodes over step leaves.
//!
//! Both offer `to_svg`, laid out here, and `to_dot`, for those who prefer Graphviz.
//!
//! Every input gives a picture. References to nodes that do not exist are ignored, cycles are
//! drawn with their closing edges going back up, and text that is too long is clipped (the full
//! text stays available as the tooltip of its shape).
//!
//! ```
//! use rosser_model::draw::{Edge, EdgeKind, Node, Picture};
//!
//! let picture = Picture {
//!     title: "fork".into(),
//!     lanes: vec!["main".into(), "f".into()],
//!     nodes: vec![Node::step(0, "S1", ["fork f"]), Node::step(1, "S2", ["x <- 1"])],
//!     edges: vec![Edge { from: 0, to: 1, kind: EdgeKind::Fork }],
//!     races: vec![],
//! };
//! assert!(picture.to_svg().starts_with("<svg"));
//! assert!(picture.to_dot().starts_with("digraph"));
//! ```

mod arrow;
mod contour;
mod coordinates;
mod dot;
mod geometry;
mod grid;
mod layout_lanes;
mod layout_tree;
mod legend;
mod palette;
mod path;
mod picture;
mod ports;
mod route;
mod route_races;
mod rows;
mod scene;
mod svg;
mod text;
mod tracks;
mod tree;
mod tree_links;

#[cfg(test)]
mod testing;

pub use picture::{Edge, EdgeKind, Node, NodeKind, Picture, RaceLink};
pub use tree::{Tree, TreeKind, TreeNode};
