//! Writing pictures as Graphviz input.
//!
//! Graphviz does its own layout; this module passes on what it needs to arrive at a similar
//! picture: a cluster per lane, the rows as ranks, and race links that do not influence either.

use std::fmt::Write as _;

use crate::draw::palette::{self, Paint, Stroke};
use crate::draw::picture::{NodeKind, Picture, RaceLink, merged_races};
use crate::draw::scene::{Form, Sample};
use crate::draw::text::{dot_escaped, dot_quoted, xml};
use crate::draw::tree::Tree;
use crate::draw::{legend, rows};

/// The Graphviz text of a computation graph.
pub(crate) fn picture(picture: &Picture) -> String {
    let edges = picture.sound_edges();
    let races = merged_races(&picture.races, picture.nodes.len());
    let pairs: Vec<(usize, usize)> = edges.iter().map(|edge| (edge.from, edge.to)).collect();
    let rows = rows::assign(picture.nodes.len(), &pairs);

    let mut dot = Dot::new(&picture.title);
    let known = picture.lanes.len();
    let extra = String::new();
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); known + 1];
    for (index, node) in picture.nodes.iter().enumerate() {
        members[node.lane.min(known)].push(index);
    }
    for (lane, members) in members.iter().enumerate() {
        let name = picture.lanes.get(lane).unwrap_or(&extra);
        if members.is_empty() && lane == known {
            continue;
        }
        dot.put(format_args!("  subgraph cluster_{lane} {{"));
        dot.put(format_args!(
            "    label={}; style=\"filled,rounded\"; color=\"{1}\"; fillcolor=\"{1}\"; \
             fontcolor=\"{2}\";",
            dot_quoted(name),
            palette::LANE,
            palette::MUTED
        ));
        // An invisible point lets the lane begin at the top even if its task begins later. (The
        // order of the lanes is beyond control: Graphviz arranges clusters as it likes.)
        dot.put(format_args!("    lane{lane} [shape=point, style=invis, width=0];"));
        for &index in members {
            let node = &picture.nodes[index];
            let (form, lines) = match node.kind {
                NodeKind::Step => (Form::Box, &node.lines[..]),
                NodeKind::Promise => (Form::Ellipse, &[][..]),
                NodeKind::UnfulfilledPromise => (Form::DashedEllipse, &[][..]),
                NodeKind::Join => (Form::Pill, &[][..]),
            };
            let paint = palette::node(node.kind, node.racy);
            dot.node(index, form, paint, node.racy, &node.title, lines);
        }
        dot.put(format_args!("  }}"));
        if lane > 0 {
            dot.put(format_args!("  {{ rank=same; lane0; lane{lane}; }}"));
        }
    }

    let mut ranks: Vec<Vec<usize>> = Vec::new();
    for (node, &row) in rows.row.iter().enumerate() {
        if ranks.len() <= row {
            ranks.resize(row + 1, Vec::new());
        }
        ranks[row].push(node);
    }
    for rank in ranks.iter().filter(|rank| rank.len() > 1) {
        let names: Vec<String> = rank.iter().map(|node| format!("n{node}")).collect();
        dot.put(format_args!("  {{ rank=same; {}; }}", names.join("; ")));
    }
    for (edge, &forward) in edges.iter().zip(&rows.forward) {
        let more = if forward { "" } else { ", constraint=false" };
        dot.edge(edge.from, edge.to, &palette::edge(edge.kind), more);
    }
    dot.races(&races);
    dot.finish(&legend::of_picture(picture, &edges, &races))
}

/// The Graphviz text of a task tree.
pub(crate) fn tree(tree: &Tree) -> String {
    let races = merged_races(&tree.races, tree.nodes.len());
    let joins = tree.sound_joins();
    let mut dot = Dot::new(&tree.title);
    // Without this, Graphviz may reorder the children of a node.
    dot.put(format_args!("  ordering=out;"));
    for (index, node) in tree.nodes.iter().enumerate() {
        let form = legend::tree_form(node.kind);
        let lines = if form == Form::Box { &node.lines[..] } else { &[] };
        let paint = palette::tree_node(node.kind, node.racy);
        dot.node(index, form, paint, node.racy, &node.title, lines);
    }
    for (child, parent) in tree.sound_parents().into_iter().enumerate() {
        if let Some(parent) = parent {
            dot.edge(parent, child, &palette::TREE_EDGE, "");
        }
    }
    for &(from, to) in &joins {
        dot.edge(from, to, &palette::NON_TREE_JOIN, ", constraint=false");
    }
    dot.races(&races);
    dot.finish(&legend::of_tree(tree, joins.len(), &races))
}

/// The text under construction.
struct Dot(String);

impl Dot {
    fn new(title: &str) -> Self {
        let mut dot = Self("digraph rosser {\n".to_string());
        dot.put(format_args!(
            "  graph [label={}, labelloc=t, rankdir=TB, newrank=true, bgcolor=\"{}\", \
             fontname=\"monospace\"];",
            dot_quoted(title),
            palette::PAPER
        ));
        dot.put(format_args!(
            "  node [fontname=\"monospace\", fontsize=11, fontcolor=\"{}\"];",
            palette::INK
        ));
        dot.put(format_args!("  edge [fontname=\"monospace\", fontsize=10];"));
        dot
    }

    fn put(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.0.write_fmt(line);
        self.0.push('\n');
    }

    fn node(
        &mut self,
        index: usize,
        form: Form,
        paint: Paint,
        racy: bool,
        title: &str,
        lines: &[String],
    ) {
        let (shape, style) = match form {
            Form::Box | Form::Pill => ("box", "rounded,filled"),
            Form::Ellipse => ("ellipse", "filled"),
            Form::DashedEllipse => ("ellipse", "filled,dashed"),
            Form::Hexagon => ("hexagon", "filled"),
        };
        let mut label = dot_escaped(title);
        if !lines.is_empty() {
            label.push_str("\\l");
            for line in lines {
                label.push_str(&dot_escaped(line));
                // `\l` ends a line and sets it flush left.
                label.push_str("\\l");
            }
        }
        let width = if racy { 2 } else { 1 };
        let small = if form == Form::Pill { ", height=0.25, margin=0.05" } else { "" };
        self.put(format_args!(
            "    n{index} [label=\"{label}\", shape={shape}, style=\"{style}\", \
             fillcolor=\"{}\", color=\"{}\", penwidth={width}{small}];",
            paint.fill, paint.line
        ));
    }

    fn edge(&mut self, from: usize, to: usize, stroke: &Stroke, more: &str) {
        self.put(format_args!(
            "  n{from} -> n{to} [color=\"{}\", style={}, arrowhead={}{more}];",
            stroke.colour,
            stroke.dot_style,
            stroke.head.dot_name()
        ));
    }

    fn races(&mut self, races: &[RaceLink]) {
        for race in races {
            let more = format!(
                ", dir=none, constraint=false, penwidth=2, fontcolor=\"{}\", label={}",
                palette::RACE_COLOUR,
                dot_quoted(&race.label)
            );
            self.edge(race.a, race.b, &palette::RACE, &more);
        }
    }

    /// Adds the legend, as a table with coloured words, and closes the graph.
    fn finish(mut self, legend: &[Sample]) -> String {
        if !legend.is_empty() {
            let mut cells = String::new();
            for sample in legend {
                let (colour, sign, name) = match sample {
                    Sample::Line(stroke, name) if stroke.dash.is_empty() => {
                        (stroke.colour, "——", name)
                    }
                    Sample::Line(stroke, name) => (stroke.colour, "– –", name),
                    Sample::Shape(Form::Box | Form::Pill, paint, name) => (paint.line, "■", name),
                    Sample::Shape(Form::Hexagon, paint, name) => (paint.line, "⬢", name),
                    Sample::Shape(_, paint, name) => (paint.line, "●", name),
                };
                let _ = write!(
                    cells,
                    "<TR><TD><FONT COLOR=\"{colour}\">{sign}</FONT></TD>\
                     <TD ALIGN=\"LEFT\">{}</TD></TR>",
                    xml(name)
                );
            }
            self.put(format_args!(
                "  legend [shape=plain, label=<<TABLE BORDER=\"0\" CELLBORDER=\"0\" \
                 CELLSPACING=\"1\">{cells}</TABLE>>];"
            ));
        }
        self.0.push_str("}\n");
        self.0
    }
}

#[cfg(test)]
mod tests {
    use crate::draw::testing::{random_picture, random_tree};
    use crate::draw::{Edge, EdgeKind, Node, Picture, RaceLink, Tree};

    /// Checks that every quoted string is closed on its line and that braces match.
    fn assert_plausible(dot: &str) {
        let mut depth = 0_i32;
        for line in dot.lines() {
            let mut quoted = false;
            let mut escaped = false;
            for c in line.chars() {
                match c {
                    _ if escaped => escaped = false,
                    '\\' if quoted => escaped = true,
                    '"' => quoted = !quoted,
                    '{' if !quoted => depth += 1,
                    '}' if !quoted => depth -= 1,
                    _ => {}
                }
            }
            assert!(!quoted, "open string in {line}");
        }
        assert_eq!(depth, 0);
    }

    #[test]
    fn random_graphs_are_plausible() {
        for seed in 0..40 {
            assert_plausible(&random_picture(seed).to_dot());
            assert_plausible(&random_tree(seed).to_dot());
        }
        assert_plausible(&Picture::default().to_dot());
        assert_plausible(&Tree::default().to_dot());
    }

    #[test]
    fn quotes_are_escaped_and_missing_ends_ignored() {
        let picture = Picture {
            title: "a \"b\" {".into(),
            lanes: vec!["\\".into()],
            nodes: vec![Node::step(0, "S1", ["say \"x\"", "}"]), Node::step(3, "S2", ["\n"])],
            edges: vec![Edge { from: 0, to: 9, kind: EdgeKind::Fork }],
            races: vec![RaceLink { a: 0, b: 1, label: "m[\"k\"]".into() }],
        };
        let dot = picture.to_dot();
        assert_plausible(&dot);
        assert!(dot.contains(r#"say \"x\"\l"#));
        assert!(dot.contains(r#"label="m[\"k\"]""#));
        assert!(!dot.contains("n9"));
    }
}
