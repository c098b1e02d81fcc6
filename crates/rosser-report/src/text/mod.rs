//! The report for people, in the manner of rustc.

mod finding;
mod overview;
mod snippet;
pub mod verdict;
mod wrap;

use annotate_snippets::Renderer;

use crate::options::Style;
use crate::report::Report;

/// Renders the whole report. It is empty of findings if there are none, but never of a verdict.
pub fn render(report: &Report, style: Style) -> String {
    let renderer = if style.color { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.term_width(style.width.max(40));
    let mut out = String::new();
    for (index, group) in report.reported().take(report.max_findings).enumerate() {
        let message = finding::Message::new(report, group, index + 1, style);
        out.push_str(&message.render(&renderer));
        out.push_str("\n\n");
    }
    out.push_str(&overview::rest(report));
    for message in verdict::stopped(report, style) {
        out.push_str(&renderer.render(&[message]));
        out.push_str("\n\n");
    }
    out.push_str(&renderer.render(&[verdict::verdict(report, style)]));
    out.push('\n');
    out
}
