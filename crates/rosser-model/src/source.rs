//! A program's text, and places in it.

use crate::diagnostic::Diagnostic;

/// A range of bytes in a source text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span from the start of one to the end of another.
    #[must_use]
    pub fn to(self, end: Self) -> Self {
        Self { start: self.start, end: end.end }
    }

    /// The span as a range of byte offsets.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A line and a column, both counted from one, columns in characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// A named source text.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    text: String,
    /// Where each line starts.
    lines: Vec<u32>,
}

/// The largest program text that is read. Programs are written by people; a larger file is a
/// mistake, and refusing it keeps byte offsets in 32 bits.
const LIMIT: usize = 16 << 20;

impl Source {
    /// A source with the given text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let starts = text.match_indices('\n').map(|(at, _)| at as u32 + 1);
        let lines = std::iter::once(0).chain(starts).collect();
        Self { name: name.into(), text, lines }
    }

    /// A source from a file's contents, which must be UTF-8 and of reasonable size.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Self, Diagnostic> {
        if bytes.len() > LIMIT {
            let message = format!("{name} is larger than {} MiB", LIMIT >> 20);
            return Err(Diagnostic::new(message, Span::default()));
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Self::new(name, text)),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let message = format!("{name} is not UTF-8 text: invalid byte at offset {at}");
                Err(Diagnostic::new(message, Span::default()))
            }
        }
    }

    /// The name, usually a path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// The line and column of a byte offset.
    pub fn position(&self, offset: u32) -> Position {
        let line = self.lines.partition_point(|start| *start <= offset) - 1;
        let start = self.lines[line] as usize;
        let before = self.text.get(start..offset as usize).unwrap_or("");
        Position { line: line as u32 + 1, column: before.chars().count() as u32 + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::{Position, Source};

    #[test]
    fn positions_count_characters_from_one() {
        let source = Source::new("t", "a\nböc\n");
        assert_eq!(source.position(0), Position { line: 1, column: 1 });
        assert_eq!(source.position(2), Position { line: 2, column: 1 });
        assert_eq!(source.position(5), Position { line: 2, column: 3 });
        assert_eq!(source.position(7), Position { line: 3, column: 1 });
    }

    #[test]
    fn what_is_not_text_is_refused() {
        let error = Source::from_bytes("t", vec![b'a', 0xFF]).unwrap_err();
        assert_eq!(error.message, "t is not UTF-8 text: invalid byte at offset 1");
    }
}
