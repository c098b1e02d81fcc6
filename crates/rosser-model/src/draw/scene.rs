//! A finished layout: shapes, lines and labels with coordinates, ready to be written out.
//!
//! Both layouts end in a scene, so that there is a single SVG writer, and so that the tests can
//! check the geometry without parsing SVG.

use crate::draw::palette::{Paint, Stroke};
use crate::draw::text;

/// Distance of everything from the edge of the sheet.
pub(crate) const MARGIN: f64 = 20.0;
/// Size of the heading of the picture.
pub(crate) const TITLE_SIZE: f64 = 15.0;
/// Size of the labels of race links.
pub(crate) const TAG_SIZE: f64 = 11.0;
/// Height of the box behind the label of a race link.
pub(crate) const TAG_HEIGHT: f64 = 16.0;

/// A point; y grows downwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub x: f64,
    pub y: f64,
}

/// An upright rectangle given by its centre, because layouts think in centres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub centre: Point,
    pub width: f64,
    pub height: f64,
}

impl Frame {
    pub(crate) fn left(&self) -> f64 {
        self.centre.x - self.width / 2.0
    }
    pub(crate) fn right(&self) -> f64 {
        self.centre.x + self.width / 2.0
    }
    pub(crate) fn top(&self) -> f64 {
        self.centre.y - self.height / 2.0
    }
    pub(crate) fn bottom(&self) -> f64 {
        self.centre.y + self.height / 2.0
    }
}

/// The outline of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Box,
    Ellipse,
    DashedEllipse,
    Pill,
    Hexagon,
}

impl Form {
    /// How far the outline of a shape of this form reaches from its centre, along one axis, at
    /// a given distance from the centre along the other; both half extents are given.
    pub(crate) fn reach(self, along: f64, across: f64, offset: f64) -> f64 {
        match self {
            Self::Ellipse | Self::DashedEllipse if across > 0.0 => {
                along * (1.0 - (offset / across).powi(2)).max(0.0).sqrt()
            }
            _ => along,
        }
    }
}

/// A node with its text.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub frame: Frame,
    pub form: Form,
    pub paint: Paint,
    pub bold_outline: bool,
    pub title: String,
    pub lines: Vec<String>,
    /// The full text, for tooltips and screen readers.
    pub hover: String,
}

/// Padding between the outline of a box and its text.
pub(crate) const PADDING: f64 = 9.0;
/// The longest line of a box, in characters.
const MAX_CELLS: usize = 44;
/// The tallest box, in lines below the title.
const MAX_LINES: usize = 14;

impl Shape {
    /// A shape sized to its text, with its centre still at the origin. Only boxes show lines.
    pub(crate) fn sized(form: Form, paint: Paint, title: &str, lines: &[String]) -> Self {
        let hover = std::iter::once(title)
            .chain(lines.iter().map(String::as_str))
            .collect::<Vec<_>>()
            .join("\n");
        let title = text::one_line(title, MAX_CELLS);
        let lines =
            if form == Form::Box { text::block(lines, MAX_LINES, MAX_CELLS) } else { vec![] };
        let text_width = lines
            .iter()
            .chain([&title])
            .map(|line| text::width(line, text::SIZE))
            .fold(0.0, f64::max);
        let (width, height): (f64, f64) = match form {
            Form::Box => {
                let gap = if lines.is_empty() || title.is_empty() { 0.0 } else { 2.0 };
                let count = lines.len() + usize::from(!title.is_empty());
                let height = count as f64 * text::LINE + gap + PADDING + 3.0;
                (text_width.max(30.0) + 2.0 * PADDING, height.max(28.0))
            }
            // The corners of the text have to stay inside the curve.
            Form::Ellipse | Form::DashedEllipse => ((text_width * 1.25 + 18.0).max(44.0), 30.0),
            Form::Hexagon => ((text_width + 32.0).max(48.0), 28.0),
            Form::Pill => ((text_width + 16.0).max(30.0), 20.0),
        };
        let centre = Point { x: 0.0, y: 0.0 };
        let frame = Frame { centre, width, height };
        Self { frame, form, paint, bold_outline: false, title, lines, hover }
    }
}

/// A line between shapes.
#[derive(Clone, Debug)]
pub(crate) struct Wire {
    /// The corners, from the start to the end.
    pub points: Vec<Point>,
    /// How far the corners are rounded.
    pub radius: f64,
    pub stroke: Stroke,
    /// Whether the line is set off from the lines it crosses.
    pub halo: bool,
    pub hover: String,
}

/// The label of a race link, on top of its line.
#[derive(Clone, Debug)]
pub(crate) struct Tag {
    pub centre: Point,
    pub text: String,
}

/// The longest label of a race link, in characters.
const MAX_TAG: usize = 28;

impl Tag {
    /// Whether the box of the label touches an upright rectangle given by two corners.
    pub(crate) fn touches(&self, a: Point, b: Point) -> bool {
        let (half, margin) = (Self::width(&self.text) / 2.0, 2.0);
        let apart_x = a.x.max(b.x) < self.centre.x - half - margin
            || a.x.min(b.x) > self.centre.x + half + margin;
        let apart_y = a.y.max(b.y) < self.centre.y - TAG_HEIGHT / 2.0 - margin
            || a.y.min(b.y) > self.centre.y + TAG_HEIGHT / 2.0 + margin;
        !apart_x && !apart_y
    }

    /// The text of a label as it is shown.
    pub(crate) fn clip(label: &str) -> String {
        text::one_line(label, MAX_TAG)
    }

    /// The width of the box behind a label that has been clipped.
    pub(crate) fn width(clipped: &str) -> f64 {
        if clipped.is_empty() { 0.0 } else { text::width(clipped, TAG_SIZE) + 8.0 }
    }
}

/// The background of a lane, with its heading.
#[derive(Clone, Debug)]
pub(crate) struct Band {
    pub name: String,
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

/// One entry of the legend.
#[derive(Clone, Debug)]
pub(crate) enum Sample {
    Line(Stroke, &'static str),
    Shape(Form, Paint, &'static str),
}

/// Everything there is to draw.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scene {
    pub title: String,
    /// A sentence for screen readers.
    pub description: String,
    /// The extent of the drawing proper, without title, legend and right and bottom margins.
    pub right: f64,
    pub bottom: f64,
    pub bands: Vec<Band>,
    pub shapes: Vec<Shape>,
    pub wires: Vec<Wire>,
    pub tags: Vec<Tag>,
    pub legend: Vec<Sample>,
}

impl Scene {
    /// The y coordinate at which the drawing proper may begin.
    pub(crate) fn top(title: &str) -> f64 {
        if title.trim().is_empty() { MARGIN } else { MARGIN + TITLE_SIZE + 14.0 }
    }
}
