//! The lines of a place, with those around them.

use std::ops::Range;
use std::rc::Rc;

use crate::frame::Frame;
use crate::sources::Sources;

/// How many lines are shown before and after a place.
const AROUND: usize = 2;

/// A place and what to say about it.
#[derive(Clone, Copy)]
pub struct Mark<'a> {
    pub frame: &'a Frame,
    pub label: &'a str,
    pub primary: bool,
}

/// Part of a file, with marks in it. All offsets are into `text`.
pub struct Excerpt {
    pub path: String,
    pub text: String,
    /// The number of its first line.
    pub first_line: usize,
    pub marks: Vec<(Range<usize>, String, bool)>,
    /// The lines to show even though nothing is marked in them.
    pub around: Vec<Range<usize>>,
}

/// What can be shown of a place.
pub enum Shown {
    /// Lines of its file.
    Excerpt(Excerpt),
    /// Only where it is.
    Position { frame: String, label: String },
}

/// What to show of some places: one excerpt for each file, in the order of the marks.
pub fn show(marks: &[Mark<'_>], sources: &Sources) -> Vec<Shown> {
    let mut shown = Vec::new();
    let mut done = vec![false; marks.len()];
    for (index, mark) in marks.iter().enumerate() {
        if done[index] {
            continue;
        }
        let same_file = |other: &Mark<'_>| other.frame.file == mark.frame.file;
        let text = text_of(mark.frame, sources);
        let Some(text) = text else {
            shown.push(Shown::Position {
                frame: mark.frame.position().unwrap_or_else(|| format!("`{}`", mark.frame.shown)),
                label: mark.label.to_owned(),
            });
            continue;
        };
        let lines = Lines::new(&text);
        let mut here = Vec::new();
        for (other_index, other) in marks.iter().enumerate() {
            if same_file(other) && lines.has(other.frame.line) {
                done[other_index] = true;
                here.push(*other);
            }
        }
        shown.push(Shown::Excerpt(excerpt(&here, &lines)));
    }
    shown
}

/// The text of a frame's file, if it has the frame's line.
fn text_of(frame: &Frame, sources: &Sources) -> Option<Rc<str>> {
    let text = sources.text(frame.source.as_ref()?)?;
    Lines::new(&text).has(frame.line).then_some(text)
}

fn excerpt(marks: &[Mark<'_>], lines: &Lines<'_>) -> Excerpt {
    let numbers = || marks.iter().map(|mark| mark.frame.line as usize - 1);
    let window = |line: usize| line.saturating_sub(AROUND)..(line + AROUND + 1).min(lines.len());
    let first = numbers().map(|line| window(line).start).min().unwrap_or(0);
    let last = numbers().map(|line| window(line).end).max().unwrap_or(0);
    let base = lines.range(first).start;
    let moved = |range: Range<usize>| range.start - base..range.end - base;

    let mut around: Vec<usize> = numbers().flat_map(window).collect();
    around.sort_unstable();
    around.dedup();
    let mut placed: Vec<(Range<usize>, String, bool)> = Vec::new();
    for mark in marks {
        let line = lines.range(mark.frame.line as usize - 1);
        let span = span(&lines.text[line.clone()], mark.frame.column as usize);
        let span = moved(line.start + span.start..line.start + span.end);
        placed.push((span, mark.label.to_owned(), mark.primary));
    }
    let end = if last == 0 { base } else { lines.range(last - 1).end };
    Excerpt {
        path: marks.first().and_then(|mark| mark.frame.file.clone()).unwrap_or_default(),
        text: lines.text[base..end].to_owned(),
        first_line: first + 1,
        marks: placed,
        around: around.into_iter().map(|line| moved(lines.range(line))).collect(),
    }
}

/// The part of a line to underline: from the column on, the expression that begins there. The
/// column comes from the compiler, counted in bytes from 1; 0 means the whole line.
fn span(line: &str, column: usize) -> Range<usize> {
    let code = line.trim_end();
    let indent = code.len() - code.trim_start().len();
    let mut start = column.checked_sub(1).unwrap_or(indent);
    if start >= code.len() || !code.is_char_boundary(start) {
        start = indent;
    }
    let rest = &code[start..];
    let mut depth = 0_usize;
    let mut end = rest.len();
    for (at, character) in rest.char_indices() {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' if depth == 0 => {
                end = at;
                break;
            }
            ')' | ']' => depth -= 1,
            ';' | ',' | '{' | '}' if depth == 0 && at > 0 => {
                end = at;
                break;
            }
            _ => {}
        }
    }
    let end = start + rest[..end].trim_end().len();
    start..end.max(start)
}

/// Where the lines of a text are.
struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Lines<'a> {
        let after = text.match_indices('\n').map(|(at, _)| at + 1).filter(|at| *at < text.len());
        Lines { text, starts: std::iter::once(0).chain(after).collect() }
    }

    fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there is a line of that number, counted from 1.
    fn has(&self, number: u32) -> bool {
        (1..=self.len()).contains(&(number as usize))
    }

    /// The bytes of a line, counted from 0, without what ends it.
    fn range(&self, index: usize) -> Range<usize> {
        let start = self.starts[index];
        let end = self.starts.get(index + 1).copied().unwrap_or(self.text.len());
        start..start + self.text[start..end].trim_end_matches(['\n', '\r']).len()
    }
}

#[cfg(test)]
mod tests {
    use super::span;

    fn underlined(line: &str, column: usize) -> &str {
        &line[span(line, column)]
    }

    #[test]
    fn an_expression_is_underlined() {
        assert_eq!(underlined("    *total += a[0]; // sum", 5), "*total += a[0]");
        assert_eq!(underlined("    f(|x| x + 1, y)", 7), "|x| x + 1");
        assert_eq!(underlined("    v.for_each(|x| { *x = 1; });", 22), "*x = 1");
        assert_eq!(underlined("    whole line  ", 0), "whole line");
        assert_eq!(underlined("    short", 40), "short");
        assert_eq!(underlined("    ä + b", 6), "ä + b");
        assert_eq!(underlined("", 3), "");
    }
}
