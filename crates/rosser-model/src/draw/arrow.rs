//! Arrow heads, drawn as plain shapes.
//!
//! SVG markers would need identifiers, one per colour, and these would clash when two pictures
//! are pasted into one page.

use crate::draw::palette::{self, Head, Stroke};
use crate::draw::path::{head_length, towards};
use crate::draw::scene::Point;

/// The arrow head at `tip`, of a line that comes from `from`.
pub(crate) fn head(tip: Point, from: Point, stroke: &Stroke) -> String {
    let length = head_length(stroke.head);
    let back = towards(tip, from, length);
    let unit = towards(tip, from, 1.0);
    // The unit vector across the line gives the two wings.
    let (dx, dy) = (tip.x - unit.x, tip.y - unit.y);
    let wing = |at: Point, size: f64| format!("{:.1} {:.1}", at.x - dy * size, at.y + dx * size);
    let middle = towards(tip, from, length / 2.0);
    let (path, fill) = match stroke.head {
        Head::None => return String::new(),
        Head::Filled => (
            format!("M{} L{} L{} Z", wing(tip, 0.0), wing(back, 4.0), wing(back, -4.0)),
            stroke.colour,
        ),
        Head::Hollow => (
            format!("M{} L{} L{} Z", wing(tip, 0.0), wing(back, 4.0), wing(back, -4.0)),
            palette::PAPER,
        ),
        Head::Diamond => (
            format!(
                "M{} L{} L{} L{} Z",
                wing(tip, 0.0),
                wing(middle, 3.8),
                wing(back, 0.0),
                wing(middle, -3.8)
            ),
            stroke.colour,
        ),
        Head::Vee => {
            let tail = towards(tip, from, 8.0);
            (format!("M{} L{} L{}", wing(tail, 4.0), wing(tip, 0.0), wing(tail, -4.0)), "none")
        }
        Head::Dot => {
            return format!(
                r#"<circle cx="{:.1}" cy="{:.1}" r="{:.1}" fill="{}" stroke="{}" stroke-width="1.5"/>"#,
                middle.x,
                middle.y,
                length / 2.0,
                palette::PAPER,
                stroke.colour
            );
        }
    };
    format!(
        r#"<path d="{path}" fill="{fill}" stroke="{}" stroke-width="1.2" stroke-linejoin="round"/>"#,
        stroke.colour
    )
}
