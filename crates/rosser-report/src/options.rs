//! What to report, and how.

use std::path::PathBuf;

use crate::baseline::Baseline;
use crate::error::Error;
use crate::suppress::Suppressions;

/// What goes into a report.
#[derive(Clone, Debug)]
pub struct Options {
    /// Suppression files, in the order given.
    pub suppressions: Vec<PathBuf>,
    /// Whether the built-in suppressions apply too.
    pub builtin_suppressions: bool,
    /// Findings that are known and pass.
    pub baseline: Option<PathBuf>,
    /// Where sources are looked for. The first is the workspace's root: paths are shown relative
    /// to it.
    pub source_roots: Vec<PathBuf>,
    /// Further crates whose frames are not the place to show.
    pub sync_crates: Vec<String>,
    /// How many findings are shown in the text. All are counted.
    pub max_findings: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            suppressions: Vec::new(),
            builtin_suppressions: true,
            baseline: None,
            source_roots: Vec::new(),
            sync_crates: Vec::new(),
            max_findings: 100,
        }
    }
}

impl Options {
    /// Whether the files that are named can be read and understood. To be asked before a run, whose result would be
    /// lost if they cannot.
    pub fn check(&self) -> Result<(), Error> {
        Suppressions::read(&self.suppressions, self.builtin_suppressions)?;
        self.baseline.as_deref().map(Baseline::read).transpose()?;
        Ok(())
    }
}

/// How the text looks.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Whether to use colours.
    pub color: bool,
    /// How many columns there are.
    pub width: usize,
    /// Whether to show every frame of every stack.
    pub verbose: bool,
    /// What was called, to tell what to call next.
    pub command: &'static str,
}

impl Default for Style {
    fn default() -> Self {
        Style { color: false, width: 100, verbose: false, command: "cargo rosser" }
    }
}
