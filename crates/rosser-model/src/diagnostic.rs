//! An error in a program, with the place that it is about.

use crate::source::Span;

/// What is wrong, where, and what may help.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The error in one sentence.
    pub message: String,
    /// The place it is about.
    pub span: Span,
    /// What to write under the caret.
    pub label: String,
    /// Another place that matters, with what to say about it.
    pub related: Option<(Span, String)>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error about a place.
    pub fn new(message: impl Into<String>, span: Span) -> Self {
        Self { message: message.into(), span, label: String::new(), related: None, help: None }
    }

    /// Adds what to write under the caret.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related = Some((span, label.into()));
        self
    }

    /// Adds advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
