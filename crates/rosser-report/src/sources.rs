//! Source files, read when a report shows them and only once.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::frame::Frame;
use crate::read;

/// What was read so far.
#[derive(Debug, Default)]
pub struct Sources(RefCell<FxHashMap<PathBuf, Option<Rc<str>>>>);

impl Sources {
    /// The text of a file, or nothing if it cannot be read.
    pub fn text(&self, path: &Path) -> Option<Rc<str>> {
        let mut files = self.0.borrow_mut();
        if let Some(text) = files.get(path) {
            return text.clone();
        }
        // Files that are too long were generated.
        let text = read::text(path).ok().map(Rc::from);
        files.insert(path.to_owned(), text.clone());
        text
    }

    /// The line that a frame is at, without the spaces around it; empty if unknown.
    pub fn line(&self, frame: &Frame) -> String {
        self.whole_line(frame).map(|line| line.trim().to_owned()).unwrap_or_default()
    }

    /// The column that a frame is at, counted in characters from 1 instead of in bytes.
    pub fn char_column(&self, frame: &Frame) -> Option<usize> {
        let bytes = (frame.column as usize).checked_sub(1)?;
        Some(self.whole_line(frame)?.get(..bytes)?.chars().count() + 1)
    }

    fn whole_line(&self, frame: &Frame) -> Option<String> {
        let text = self.text(frame.source.as_ref()?)?;
        text.lines().nth((frame.line as usize).checked_sub(1)?).map(str::to_owned)
    }
}
