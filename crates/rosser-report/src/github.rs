//! Annotations in the log of a GitHub workflow, which GitHub shows at the lines of a change.

use crate::describe::Description;
use crate::finding::Class;
use crate::frame::Frame;
use crate::group::Group;
use crate::harmless;
use crate::report::Report;
use crate::run::State;
use crate::text::verdict;

/// One annotation for each finding to report, at its second place, and one for each stopped process.
pub fn render(report: &Report) -> String {
    let mut out = String::new();
    for group in report.reported() {
        out.push_str(&annotation(report, group));
        out.push('\n');
    }
    for run in &report.runs {
        if let State::Stopped(reason) = run.state {
            let message = format!("`{}` was stopped: {}", run.program(), verdict::why(reason));
            out.push_str("::error title=stopped::");
            out.push_str(&data(&message));
            out.push('\n');
        }
    }
    if report.incomplete() > 0
        && report.runs.iter().all(|run| !matches!(run.state, State::Stopped(_)))
    {
        out.push_str("::warning title=incomplete::");
        out.push_str(&data(&verdict::headline(report)));
        out.push('\n');
    }
    out
}

fn annotation(report: &Report, group: &Group) -> String {
    let (finding, table) = (&group.example, &report.table);
    let description = Description::new(group, table);
    let (command, title) = match finding.class {
        Class::DataRace => ("error", "data race"),
        Class::OrderDependent => ("warning", "order-dependent"),
    };
    let position =
        |frame: Option<&Frame>| frame.map_or_else(|| "an unknown place".to_owned(), Frame::at);
    let mut properties = Vec::new();
    let second = finding.second_place(table);
    if let Some((frame, file)) = second.and_then(|frame| Some((frame, frame.file.as_deref()?))) {
        properties.push(format!("file={}", property(file)));
        if frame.line != 0 {
            properties.push(format!("line={}", frame.line));
        }
        if frame.column != 0 {
            properties.push(format!("col={}", frame.column));
        }
    }
    properties.push(format!("title={}", property(title)));
    let message = format!(
        "{}\n{}, at {}\n{}, at {}\n{}",
        description.title,
        description.first,
        position(finding.first_place(table)),
        description.second,
        position(second),
        description.ordering
    );
    format!("::{command} {}::{}", properties.join(","), data(&message))
}

fn data(text: &str) -> String {
    harmless(&text.replace('\r', "\n")).replace('%', "%25").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{data, property};

    #[test]
    fn special_characters_are_escaped() {
        assert_eq!(data("50%\nof a:b,c"), "50%25%0Aof a:b,c");
        assert_eq!(property("a:b,c\n%\x1b"), "a%3Ab%2Cc%0A%25\\u{1b}");
    }
}
