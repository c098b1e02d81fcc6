//! One finding: its two places in the source, and what is known about it.

use annotate_snippets::{
    AnnotationKind, Group as Section, Level, Origin as Position, Renderer, Snippet,
};

use crate::describe::Description;
use crate::finding::{Class, Finding, place};
use crate::frame::{Frame, Origin};
use crate::group::Group;
use crate::harmless;
use crate::numbers::counted;
use crate::options::Style;
use crate::report::Report;
use crate::symbols::FrameTable;
use crate::tasks;
use crate::text::snippet::{Mark, Shown, show};
use crate::text::wrap::wrapped;

/// How many tests are named.
const TESTS: usize = 5;

/// How many of the user's frames are shown of a deep stack: the innermost and the outermost.
const STACK_HEAD: usize = 12;
const STACK_TAIL: usize = 4;

/// A finding, ready to be rendered.
pub struct Message {
    class: Class,
    title: String,
    shown: Vec<Shown>,
    notes: Vec<String>,
}

impl Message {
    pub fn new(report: &Report, group: &Group, number: usize, style: Style) -> Message {
        let verbose = style.verbose;
        let (finding, table) = (&group.example, &report.table);
        let description = Description::new(group, table);
        let second = finding.second_place(table).map(|frame| Mark {
            frame,
            label: &description.second,
            primary: true,
        });
        let first = finding.first_place(table).map(|frame| Mark {
            frame,
            label: &description.first,
            primary: false,
        });
        // Where the first place is unknown, a note must say so.
        let marks: Vec<Mark<'_>> = first.into_iter().chain(second).collect();
        let shown = show(&marks, &report.sources);

        let mut notes = Vec::new();
        if first.is_none() {
            notes.push(format!("{}, at a place that is not known", description.first));
        }
        notes.push(format!("accessed: {}", description.accessed));
        notes.push(format!("first task: {}", tasks::long(&description.tasks.first)));
        notes.push(format!("second task: {}", tasks::long(&description.tasks.second)));
        notes.push(format!("common parent: {}", description.tasks.common));
        notes.push(description.ordering);
        notes.extend(description.promises);
        notes.extend(first_access(finding, table, verbose));
        notes.push(stack(finding, report, verbose));
        notes.extend(description.more);
        // Of the only program that ran there is nothing to tell.
        if report.runs.len() > 1 || group.shown_by.iter().any(|shown_by| shown_by.test.is_some()) {
            notes.extend(shown_by(group));
        }
        Message {
            class: finding.class,
            title: format!("{number}: {}", description.title),
            shown,
            notes: notes.iter().map(|note| wrapped(note, style.width)).collect(),
        }
    }

    pub fn render(&self, renderer: &Renderer) -> String {
        let level = match self.class {
            Class::DataRace => Level::ERROR,
            Class::OrderDependent => Level::WARNING,
        };
        let mut section: Section<'_> =
            Section::with_title(level.primary_title(self.title.as_str()).id(self.class.name()));
        for shown in &self.shown {
            match shown {
                Shown::Excerpt(excerpt) => {
                    let marks = excerpt.marks.iter().map(|(span, label, primary)| {
                        let kind = if *primary {
                            AnnotationKind::Primary
                        } else {
                            AnnotationKind::Context
                        };
                        kind.span(span.clone()).label(label.as_str())
                    });
                    let around = excerpt
                        .around
                        .iter()
                        .map(|span| AnnotationKind::Visible.span(span.clone()));
                    section = section.element(
                        Snippet::source(excerpt.text.as_str())
                            .path(harmless(&excerpt.path))
                            .line_start(excerpt.first_line)
                            .annotations(marks.chain(around)),
                    );
                }
                Shown::Position { frame, label } => {
                    section = section
                        .element(Position::path(harmless(frame)))
                        .element(Level::NOTE.message(harmless(label)));
                }
            }
        }
        for note in &self.notes {
            section = section.element(Level::NOTE.message(note.as_str()));
        }
        renderer.render(&[section])
    }
}

/// The functions of the first access, as far as they are worth knowing: those that it was inlined
/// into, and the library's function that made it if its place is a call of that.
fn first_access(finding: &Finding, table: &FrameTable, verbose: bool) -> Option<String> {
    let shown = |frame: &&Frame| verbose || frame.origin == Origin::User;
    let makers = finding.first_makers(table);
    let mut lines: Vec<String> = makers.iter().filter(shown).map(line).collect();
    if let Some(caller) = finding.first_caller {
        if let (true, Some(maker)) = (lines.is_empty(), place(makers)) {
            lines.push(line(maker));
        }
        let inlined =
            finding.first_inlined_caller.iter().flat_map(|address| table.frames(*address));
        let from = inlined.chain(table.frames(caller)).filter(shown).map(line);
        lines.extend(from.enumerate().map(|(index, line)| match index {
            // Calls between the two are not recorded.
            0 => format!("{line}, which called it directly or through others"),
            _ => line,
        }));
    }
    (lines.len() > 1)
        .then(|| format!("first access, innermost function first:\n{}", lines.join("\n")))
}

/// The stack of the second access. Unless asked for, only the user's frames are shown.
fn stack(finding: &Finding, report: &Report, verbose: bool) -> String {
    // A stack without a frame of the user's is shown whole: its place is in it somewhere.
    let mut frames = finding.second_frames(&report.table);
    let verbose = verbose || !frames.any(|(_, frame)| frame.origin == Origin::User);
    let mut lines = Vec::new();
    let mut left_out = 0;
    let mut gap_shown = finding.stack_omitted == 0;
    for (index, frame) in finding.second_frames(&report.table) {
        if index >= finding.stack_inner && !gap_shown {
            gap_shown = true;
            lines.push(format!("  … {} …", counted(finding.stack_omitted, "frame")));
        }
        if verbose || frame.origin == Origin::User {
            lines.push(line(frame));
        } else {
            left_out += 1;
        }
    }
    if !verbose && lines.len() > STACK_HEAD + STACK_TAIL + 1 {
        let cut = lines.len() - STACK_HEAD - STACK_TAIL;
        let note = format!("  … {} of your own …", counted(cut as u64, "frame"));
        lines.splice(STACK_HEAD..STACK_HEAD + cut, [note]);
    }
    let mut text = String::from("stack of the second access:");
    for line in lines {
        text.push('\n');
        text.push_str(&line);
    }
    if left_out > 0 {
        text.push_str("\n  and ");
        text.push_str(&counted(left_out, "library frame"));
        text.push_str(" left out");
    }
    text
}

fn line(frame: &Frame) -> String {
    match frame.position() {
        Some(position) => format!("  {} at {position}", frame.shown),
        None => format!("  {}", frame.shown),
    }
}

fn shown_by(group: &Group) -> Option<String> {
    let names: Vec<String> = group
        .shown_by
        .iter()
        .take(TESTS)
        .map(|shown_by| match &shown_by.test {
            Some(test) => format!("`{test}` of {}", shown_by.program),
            None => format!("`{}`", shown_by.program),
        })
        .collect();
    let rest = group.shown_by.len().saturating_sub(TESTS);
    let mut text = format!("shown by {}", names.join(", "));
    if rest > 0 {
        text.push_str(" and ");
        text.push_str(&counted(rest as u64, "other"));
    }
    (!names.is_empty()).then_some(text)
}
