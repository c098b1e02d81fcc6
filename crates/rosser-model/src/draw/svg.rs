//! Writing a scene as SVG.
//!
//! The document stands alone: no style sheet, no script, no reference to anything outside, and
//! no identifiers, so that several pictures can be pasted into one page. All colours are stated,
//! including that of the sheet, so that a dark viewer shows the same picture as a light one.

use std::fmt::Write as _;

use crate::draw::coordinates::HEADING;
use crate::draw::palette::{self, Stroke};
use crate::draw::path::{head_length, rounded, towards, without_stops};
use crate::draw::scene::{
    Band, Form, Frame, MARGIN, PADDING, Point, Sample, Scene, Shape, TAG_HEIGHT, TAG_SIZE,
    TITLE_SIZE, Tag, Wire,
};
use crate::draw::{arrow, text};

/// Length of a sample in the legend.
const SAMPLE: f64 = 34.0;
/// Height of a line of the legend.
const LEGEND_LINE: f64 = 24.0;
/// A picture this tall repeats the headings of its lanes at the bottom.
const TALL: f64 = 1000.0;

/// The SVG document of a scene.
pub(crate) fn render(scene: &Scene) -> String {
    let title = text::one_line(scene.title.trim(), 100);
    let title_width = text::width(&title, TITLE_SIZE) + 2.0 * MARGIN;
    let width = (scene.right + MARGIN).max(title_width).max(360.0);
    // Centre what is narrower than the sheet.
    let shift = (width - scene.right - MARGIN) / 2.0;
    let tall = scene.bottom > TALL && scene.bands.iter().any(|band| !band.name.is_empty());
    let bottom = scene.bottom + if tall { HEADING } else { 0.0 };
    let legend = legend_places(&scene.legend, width);
    let legend_height = legend.last().map_or(0.0, |place| place.y + LEGEND_LINE);
    let height = bottom + legend_height + MARGIN / 2.0;

    let mut svg = Svg(String::new());
    svg.put(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" role="img" font-family="{font}" font-size="{size}" fill="{ink}">"#,
        w = width.ceil(),
        h = height.ceil(),
        font = text::FONT,
        size = text::SIZE,
        ink = palette::INK,
    ));
    let accessible = if title.is_empty() { "Rosser picture" } else { &title };
    svg.element("title", accessible);
    svg.element("desc", &scene.description);
    svg.put(format_args!(r#"<rect width="100%" height="100%" fill="{}"/>"#, palette::PAPER));
    if !title.is_empty() {
        let place = Point { x: MARGIN, y: MARGIN + TITLE_SIZE - 3.0 };
        svg.text(place, &title, &format!(r#" font-size="{TITLE_SIZE}" font-weight="bold""#));
    }
    svg.put(format_args!(r#"<g transform="translate({shift:.1} 0)">"#));
    for band in &scene.bands {
        svg.band(band, tall);
    }
    for wire in &scene.wires {
        svg.wire(wire);
    }
    for shape in &scene.shapes {
        svg.shape(shape);
    }
    for tag in &scene.tags {
        svg.tag(tag);
    }
    svg.put(format_args!("</g>"));
    for (sample, place) in scene.legend.iter().zip(legend) {
        svg.sample(sample, Point { x: place.x, y: bottom + place.y });
    }
    svg.put(format_args!("</svg>"));
    svg.0
}

/// The places of the legend's entries, relative to the lower edge of the drawing.
fn legend_places(legend: &[Sample], width: f64) -> Vec<Point> {
    let mut at = Point { x: MARGIN, y: 28.0 };
    legend
        .iter()
        .map(|sample| {
            let (Sample::Line(_, name) | Sample::Shape(_, _, name)) = sample;
            let length = SAMPLE + 8.0 + text::width(name, text::SIZE);
            if at.x > MARGIN && at.x + length > width - MARGIN {
                at = Point { x: MARGIN, y: at.y + LEGEND_LINE };
            }
            let place = at;
            at.x += length + 24.0;
            place
        })
        .collect()
}

/// The document under construction.
struct Svg(String);

impl Svg {
    fn put(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.0.write_fmt(line);
        self.0.push('\n');
    }

    fn element(&mut self, name: &str, content: &str) {
        self.put(format_args!("<{name}>{}</{name}>", text::xml(content)));
    }

    /// Text that starts at a point; `style` holds further attributes.
    fn text(&mut self, at: Point, content: &str, style: &str) {
        if !content.is_empty() {
            self.put(format_args!(
                r#"<text x="{:.1}" y="{:.1}" xml:space="preserve"{style}>{}</text>"#,
                at.x,
                at.y,
                text::xml(content)
            ));
        }
    }

    fn band(&mut self, band: &Band, tall: bool) {
        let bottom = band.bottom + if tall { HEADING } else { 0.0 };
        self.put(format_args!(
            r#"<rect x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" rx="8" fill="{}"/>"#,
            band.left,
            band.top,
            band.right - band.left,
            bottom - band.top,
            palette::LANE
        ));
        let style = format!(
            r#" font-size="13" font-weight="bold" text-anchor="middle" fill="{}""#,
            palette::MUTED
        );
        let name = text::one_line(&band.name, 40);
        let x = band.left.midpoint(band.right);
        self.text(Point { x, y: band.top + HEADING - 8.0 }, &name, &style);
        if tall {
            self.text(Point { x, y: bottom - 10.0 }, &name, &style);
        }
    }

    fn wire(&mut self, wire: &Wire) {
        let points = without_stops(&wire.points);
        let [.., before, end] = points[..] else {
            return;
        };
        let shortened = head_length(wire.stroke.head);
        let mut line = points.clone();
        if let Some(last) = line.last_mut() {
            *last = towards(end, before, shortened);
        }
        let path = rounded(&line, wire.radius);
        self.put(format_args!("<g><title>{}</title>", text::xml(&wire.hover)));
        if wire.halo {
            // The pale margin shows at a crossing which of the two lines is on top.
            self.put(format_args!(
            r##"<path d="{path}" fill="none" stroke="#ffffff" stroke-opacity="0.9" stroke-width="{:.1}"/>"##,
            wire.stroke.width + 3.0
        ));
        }
        self.line(&path, &wire.stroke);
        self.put(format_args!("{}", arrow::head(end, before, &wire.stroke)));
        self.put(format_args!("</g>"));
    }

    fn line(&mut self, path: &str, stroke: &Stroke) {
        let dash = if stroke.dash.is_empty() {
            String::new()
        } else {
            format!(r#" stroke-dasharray="{}""#, stroke.dash)
        };
        self.put(format_args!(
            r#"<path d="{path}" fill="none" stroke="{}" stroke-width="{}"{dash}/>"#,
            stroke.colour, stroke.width
        ));
    }

    fn shape(&mut self, shape: &Shape) {
        self.put(format_args!("<g><title>{}</title>", text::xml(&shape.hover)));
        self.outline(&shape.frame, shape.form, shape.paint, shape.bold_outline);
        let frame = &shape.frame;
        let ink = if shape.bold_outline {
            format!(r#" font-weight="bold" fill="{}""#, palette::RACE_COLOUR)
        } else {
            r#" font-weight="bold""#.to_string()
        };
        if shape.form == Form::Box && !shape.lines.is_empty() {
            let mut at = Point { x: frame.left() + PADDING, y: frame.top() + 5.0 };
            if !shape.title.is_empty() {
                at.y += text::LINE - 2.0;
                self.text(at, &shape.title, &ink);
                at.y += 2.0;
            }
            for line in &shape.lines {
                at.y += text::LINE;
                self.text(at, line, "");
            }
        } else {
            let at = Point { x: frame.centre.x, y: frame.centre.y + 4.2 };
            self.text(at, &shape.title, &format!(r#"{ink} text-anchor="middle""#));
        }
        self.put(format_args!("</g>"));
    }

    fn outline(&mut self, frame: &Frame, form: Form, paint: palette::Paint, bold: bool) {
        let width = if bold { 2.2 } else { 1.3 };
        let style =
            format!(r#"fill="{}" stroke="{}" stroke-width="{width}""#, paint.fill, paint.line);
        let (half_width, half_height) = (frame.width / 2.0, frame.height / 2.0);
        match form {
            Form::Box | Form::Pill => {
                let radius = if form == Form::Pill { half_height } else { 6.0 };
                self.put(format_args!(
                    r#"<rect x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" rx="{radius:.1}" {style}/>"#,
                    frame.left(), frame.top(), frame.width, frame.height
                ));
            }
            Form::Ellipse | Form::DashedEllipse => {
                let dash =
                    if form == Form::DashedEllipse { r#" stroke-dasharray="4 3""# } else { "" };
                self.put(format_args!(
                    r#"<ellipse cx="{:.1}" cy="{:.1}" rx="{half_width:.1}" ry="{half_height:.1}" {style}{dash}/>"#,
                    frame.centre.x, frame.centre.y
                ));
            }
            Form::Hexagon => {
                let bevel = half_height.min(half_width) * 0.7;
                let (top, bottom, middle) = (frame.top(), frame.bottom(), frame.centre.y);
                let (left, right) = (frame.left() + bevel, frame.right() - bevel);
                self.put(format_args!(
                    r#"<path d="M{:.1} {middle:.1} L{left:.1} {top:.1} L{right:.1} {top:.1} L{:.1} {middle:.1} L{right:.1} {bottom:.1} L{left:.1} {bottom:.1} Z" {style}/>"#,
                    frame.left(),
                    frame.right()
                ));
            }
        }
    }

    fn tag(&mut self, tag: &Tag) {
        let width = Tag::width(&tag.text);
        self.put(format_args!(
            r#"<rect x="{:.1}" y="{:.1}" width="{width:.1}" height="{TAG_HEIGHT}" rx="4" fill="{}" stroke="{}" stroke-width="0.8"/>"#,
            tag.centre.x - width / 2.0,
            tag.centre.y - TAG_HEIGHT / 2.0,
            palette::PAPER,
            palette::RACE_COLOUR
        ));
        let style = format!(
            r#" font-size="{TAG_SIZE}" font-weight="bold" text-anchor="middle" fill="{}""#,
            palette::RACE_COLOUR
        );
        self.text(Point { x: tag.centre.x, y: tag.centre.y + 3.8 }, &tag.text, &style);
    }

    fn sample(&mut self, sample: &Sample, at: Point) {
        let end = Point { x: at.x + SAMPLE, y: at.y };
        let name = match sample {
            Sample::Line(stroke, name) => {
                let stop = towards(end, at, head_length(stroke.head));
                self.line(&rounded(&[at, stop], 0.0), stroke);
                self.put(format_args!("{}", arrow::head(end, at, stroke)));
                name
            }
            Sample::Shape(form, paint, name) => {
                let centre = Point { x: at.x + SAMPLE / 2.0, y: at.y };
                let frame = Frame { centre, width: SAMPLE - 6.0, height: 14.0 };
                self.outline(&frame, *form, *paint, false);
                name
            }
        };
        self.text(Point { x: end.x + 8.0, y: at.y + 4.0 }, name, "");
    }
}

#[cfg(test)]
mod tests {
    use crate::draw::testing::{random_picture, random_tree};
    use crate::draw::{Node, Picture, RaceLink, Tree};

    /// Checks that tags are closed in order, which is most of what makes XML well-formed.
    fn assert_balanced(svg: &str) {
        let mut open = Vec::new();
        for tag in svg.split('<').skip(1) {
            let (tag, _) = tag.split_once('>').expect("every tag ends");
            let name = tag.split([' ', '/']).find(|part| !part.is_empty()).unwrap_or("");
            if tag.starts_with('/') {
                assert_eq!(open.pop(), Some(name));
            } else if !tag.ends_with('/') {
                open.push(name);
            }
        }
        assert!(open.is_empty());
    }

    #[test]
    fn documents_are_well_formed_and_free_of_nonsense() {
        for seed in 0..60 {
            for svg in [random_picture(seed).to_svg(), random_tree(seed).to_svg()] {
                assert_balanced(&svg);
                assert!(!svg.contains("NaN") && !svg.contains("inf"));
            }
        }
    }

    #[test]
    fn text_is_escaped_everywhere() {
        let nasty = "<&\">'\u{1}";
        let picture = Picture {
            title: nasty.into(),
            lanes: vec![nasty.into()],
            nodes: vec![Node::step(0, nasty, [nasty]), Node::promise(0, nasty)],
            races: vec![RaceLink { a: 0, b: 1, label: nasty.into() }],
            ..Picture::default()
        };
        let svg = picture.to_svg();
        assert_balanced(&svg);
        assert!(svg.contains("&lt;&amp;&quot;&gt;&#39;"));
        assert!(!svg.contains("<&") && !svg.contains('\u{1}'));
    }

    #[test]
    fn empty_pictures_are_fine() {
        assert_balanced(&Picture::default().to_svg());
        assert_balanced(&Tree::default().to_svg());
    }
}
