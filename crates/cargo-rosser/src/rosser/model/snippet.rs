//! Messages about places in a source text, in the manner of rustc.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use rosser_model::{Diagnostic, Source, Span};

/// A place in the source to underline, with a label.
pub struct Mark {
    pub span: Span,
    /// What to say about it.
    pub label: String,
    /// Whether the message is mainly about it.
    pub primary: bool,
}

/// How serious a message is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// It fails the check.
    Error,
    /// The exit code stays 0.
    Warning,
}

/// A message with its places and what there is to add.
pub struct Message<'a> {
    /// How serious it is.
    pub severity: Severity,
    /// A short name for the kind of message.
    pub id: Option<&'a str>,
    pub title: String,
    pub marks: Vec<Mark>,
    /// Printed below the source, after `note:`.
    pub notes: Vec<String>,
    /// Printed last, after `help:`.
    pub help: Option<String>,
}

/// Renders a message with the lines it is about.
pub fn render(source: &Source, message: &Message<'_>) -> String {
    let level = match message.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut title = level.primary_title(message.title.as_str());
    if let Some(id) = message.id {
        title = title.id(id);
    }
    let annotations = message.marks.iter().map(|mark| {
        let kind = if mark.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let annotation = kind.span(visible(source, mark.span));
        if mark.label.is_empty() { annotation } else { annotation.label(mark.label.as_str()) }
    });
    let snippet = Snippet::source(source.text()).path(source.name()).annotations(annotations);
    let mut group: Group<'_> = title.element(snippet);
    for note in &message.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    if let Some(help) = &message.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    format!("{}\n\n", Renderer::styled().render(&[group]))
}

/// Renders an error of the language or of a running program.
pub fn error(source: &Source, error: &Diagnostic) -> String {
    let mut marks = vec![Mark { span: error.span, label: error.label.clone(), primary: true }];
    if let Some((span, label)) = &error.related {
        marks.push(Mark { span: *span, label: label.clone(), primary: false });
    }
    let message = Message {
        severity: Severity::Error,
        id: None,
        title: error.message.clone(),
        marks,
        notes: Vec::new(),
        help: error.help.clone(),
    };
    render(source, &message)
}

/// A span within the text, on one line, that does not split a character.
fn visible(source: &Source, span: Span) -> std::ops::Range<usize> {
    let text = source.text();
    let clamp = |offset: u32| {
        let mut offset = (offset as usize).min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    };
    let (start, end) = (clamp(span.start), clamp(span.end));
    let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    start..end.clamp(start, line_end.max(start))
}
