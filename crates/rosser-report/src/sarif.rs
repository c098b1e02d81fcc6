//! The report as a SARIF 2.1.0 log, the format that code-scanning services read.

use serde_json::{Value, json};

use crate::describe::Description;
use crate::finding::Class;
use crate::frame::Frame;
use crate::group::Group;
use crate::report::Report;
use crate::run::{Run, State};
use crate::shown_by::ShownBy;
use crate::tasks;
use crate::text::verdict;

/// One result for each finding; known ones have the baseline state `unchanged`.
pub fn render(report: &Report) -> String {
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Rosser",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": [
                    rule(Class::DataRace, "Two accesses of parallel tasks, at least one of them a \
                        write, that nothing orders or excludes."),
                    rule(Class::OrderDependent, "Two accesses of parallel tasks that cannot \
                        overlap, but whose order the schedule decides."),
                ],
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": report.runs.iter().map(invocation).collect::<Vec<_>>(),
            "results": report.groups.iter().map(|group| result(report, group)).collect::<Vec<_>>(),
            "properties": { "verdict": verdict::headline(report), "checked": verdict::checked(report) },
        }],
    });
    let text = serde_json::to_string_pretty(&log).expect("strings and numbers can be written");
    text + "\n"
}

fn rule(class: Class, text: &str) -> Value {
    json!({
        "id": class.name(),
        "shortDescription": { "text": text },
        "defaultConfiguration": { "level": level(class) },
    })
}

fn level(class: Class) -> &'static str {
    match class {
        Class::DataRace => "error",
        Class::OrderDependent => "warning",
    }
}

fn invocation(run: &Run) -> Value {
    let mut invocation = json!({
        "commandLine": run.command.join(" "),
        "processId": run.pid,
        "executionSuccessful": run.is_complete(),
    });
    match run.state {
        State::Ended { status } => invocation["exitCode"] = json!(status),
        State::Signalled { signal } => invocation["exitSignalNumber"] = json!(signal),
        State::Stopped(reason) => {
            invocation["toolExecutionNotifications"] =
                json!([{ "level": "error", "message": { "text": verdict::why(reason) } }]);
        }
        State::Running | State::Replaced => {}
    }
    invocation
}

fn result(report: &Report, group: &Group) -> Value {
    let (finding, table) = (&group.example, &report.table);
    let description = Description::new(group, table);
    let (first, second) = (finding.first_place(table), finding.second_place(table));
    let text = format!(
        "{}: {}; {}. Accessed: {}. First task: {}. Second task: {}. Common parent: {}.",
        description.title,
        description.first,
        description.ordering,
        description.accessed,
        tasks::long(&description.tasks.first),
        tasks::long(&description.tasks.second),
        description.tasks.common,
    );
    let stack: Vec<Value> = finding
        .second_frames(table)
        .map(|(_, frame)| json!({ "location": location(frame) }))
        .collect();
    let mut result = json!({
        "ruleId": finding.class.name(),
        "level": level(finding.class),
        "message": { "text": text },
        "locations": second
            .map(|frame| place(report, frame, 0, &description.second))
            .into_iter()
            .collect::<Vec<_>>(),
        "relatedLocations": first
            .map(|frame| place(report, frame, 1, &description.first))
            .into_iter()
            .collect::<Vec<_>>(),
        "occurrenceCount": group.count.max(1),
        "baselineState": if group.known { "unchanged" } else { "new" },
        "properties": {
            "shownBy": group.shown_by.iter().map(ShownBy::name).collect::<Vec<_>>(),
        },
    });
    if !stack.is_empty() {
        result["stacks"] = json!([{ "message": { "text": "the second access" }, "frames": stack }]);
    }
    if let Some(entry) = &group.entry {
        result["partialFingerprints"] = json!({ "rosser/v1": entry.fingerprint });
    }
    result
}

/// One of the two places, with what to say there.
fn place(report: &Report, frame: &Frame, id: u32, message: &str) -> Value {
    let mut place = location(frame);
    place["id"] = json!(id);
    place["message"] = json!({ "text": message });
    if let Some(column) = report.sources.char_column(frame) {
        place["physicalLocation"]["region"]["startColumn"] = json!(column);
    }
    place
}

/// Where a frame is. Relative paths are relative to the workspace's root, which is the checkout's.
fn location(frame: &Frame) -> Value {
    let mut location = json!({
        "logicalLocations": [{ "fullyQualifiedName": frame.shown, "kind": "function" }],
    });
    if let Some(file) = &frame.file {
        let mut physical = json!({ "artifactLocation": { "uri": uri(file) } });
        if frame.line != 0 {
            physical["region"] = json!({ "startLine": frame.line });
        }
        location["physicalLocation"] = physical;
    }
    location
}

/// A path as a URI reference.
fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    if path.starts_with('/') {
        out.push_str("file://");
    }
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~+@".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let digit = |value: u8| char::from(b"0123456789ABCDEF"[usize::from(value)]);
            out.extend(['%', digit(byte >> 4), digit(byte & 15)]);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_references() {
        assert_eq!(uri("src/a b.rs"), "src/a%20b.rs");
        assert_eq!(uri("/x/ä.rs"), "file:///x/%C3%A4.rs");
    }
}
