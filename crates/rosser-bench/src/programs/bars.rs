//! Slowdowns as bars, on a logarithmic scale, one group for each program.

use std::fmt::Write as _;

use super::summary::{Row, Summary};
use super::variant::Variant;

/// What a bar shows, its colour, and how long it is.
type Bar = (&'static str, &'static str, fn(&Row) -> Option<f64>);

/// What is drawn of each program.
const BARS: [Bar; 5] = [
    ("Rosser", "#2b6cb0", |row| row.slowdown(Variant::Full)),
    ("Rosser, two workers", "#805ad5", |row| row.slowdown(Variant::Parallel)),
    ("ThreadSanitizer", "#a0aec0", |row| row.slowdown(Variant::Sanitizer)),
    ("the paper's algorithm", "#68a691", |row| row.slowdown(Variant::Paper)),
    ("published", "#d69e2e", |row| row.program.published()),
];

const NAMES: f64 = 190.0;
const WIDTH: f64 = 560.0;
const BAR: f64 = 7.0;
const GAP: f64 = 9.0;
const TOP: f64 = 56.0;
/// The scale reaches from one to this many times.
const MOST: f64 = 1000.0;

/// Bars for the slowdown of each program, as SVG.
pub fn svg(summary: &Summary) -> String {
    // What was not measured is not in the legend either.
    let is_there = |bar: &Bar| summary.rows.iter().any(|row| bar.2(row).is_some());
    let bars: Vec<Bar> = BARS.into_iter().filter(is_there).collect();
    let group = BAR * bars.len() as f64 + GAP;
    let height = TOP + group * summary.rows.len() as f64 + 20.0;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0} {height:.0}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        NAMES + WIDTH + 60.0
    );
    let mut x = GAP;
    for (name, colour, _) in &bars {
        let _ = writeln!(
            text,
            "<rect x=\"{x:.0}\" y=\"12\" width=\"12\" height=\"12\" fill=\"{colour}\"/>\
             <text x=\"{:.0}\" y=\"22\">{name}</text>",
            x + 17.0
        );
        x += 40.0 + 7.0 * name.len() as f64;
    }
    for mark in [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, MOST] {
        let x = NAMES + along(mark);
        let _ = writeln!(
            text,
            "<line x1=\"{x:.1}\" y1=\"{:.0}\" x2=\"{x:.1}\" y2=\"{:.0}\" stroke=\"#e2e8f0\"/>\
             <text x=\"{x:.1}\" y=\"{:.0}\" text-anchor=\"middle\" fill=\"#718096\">{mark}x</text>",
            TOP - 6.0,
            height - 16.0,
            TOP - 10.0
        );
    }
    for (index, row) in summary.rows.iter().enumerate() {
        let top = TOP + group * index as f64;
        let _ = writeln!(
            text,
            "<text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            NAMES - 8.0,
            top + BAR * bars.len() as f64 / 2.0 + 4.0,
            row.program.full_name()
        );
        for (place, (_, colour, figure)) in bars.iter().enumerate() {
            let Some(figure) = figure(row) else { continue };
            let y = top + BAR * place as f64;
            let length = along(figure).max(1.0);
            let _ = writeln!(
                text,
                "<rect x=\"{NAMES:.0}\" y=\"{y:.1}\" width=\"{length:.1}\" height=\"{:.1}\" \
                 fill=\"{colour}\"/><text x=\"{:.1}\" y=\"{:.1}\" font-size=\"8\" \
                 fill=\"#4a5568\">{figure:.1}</text>",
                BAR - 1.0,
                NAMES + length + 3.0,
                y + BAR - 1.0
            );
        }
    }
    text.push_str("</svg>\n");
    text
}

/// How far along the scale a slowdown is.
fn along(figure: f64) -> f64 {
    WIDTH * figure.clamp(1.0, MOST).ln() / MOST.ln()
}

#[cfg(test)]
mod tests {
    use super::{along, svg};
    use crate::programs::summary::tests::sample;

    #[test]
    fn every_program_has_a_bar_for_each_figure() {
        let picture = svg(&sample());
        assert_eq!(picture.matches("fill=\"#2b6cb0\"").count(), 1 + 2);
        assert_eq!(picture.matches("fill=\"#68a691\"").count(), 0, "not even in the legend");
        assert!(!picture.contains("the paper's algorithm"));
        assert!(picture.contains(">esp-bags/crypt</text>"));
    }

    #[test]
    fn equal_factors_are_equally_far() {
        let step = along(10.0) - along(1.0);
        assert!((along(100.0) - along(10.0) - step).abs() < 1e-9);
        assert!((along(0.5) - along(1.0)).abs() < 1e-9, "nothing is to the left of the scale");
    }
}
