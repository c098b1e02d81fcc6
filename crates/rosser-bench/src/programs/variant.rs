//! The ways a program is built and run.

use super::program::Program;

/// A way to build and run a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// As it is, on one thread.
    Base,
    /// As it is, on two.
    Workers,
    /// Built for Rosser, which does not look: what the calls cost alone.
    Empty,
    /// Rosser follows the tasks, and looks at no access.
    Tasks,
    /// Rosser checks everything.
    Full,
    /// Rosser checks everything, on two workers.
    Parallel,
    /// The same with the algorithm of the program's own paper.
    Paper,
    /// With stock `ThreadSanitizer`, on one thread.
    Sanitizer,
    /// Under Helgrind, on one thread.
    Helgrind,
}

/// What has to be built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Build {
    /// The program as it is.
    Plain,
    /// For Rosser, fast mode.
    Checked,
    /// The same for two workers.
    Parallel,
    /// With `ThreadSanitizer`.
    Sanitizer,
    /// For Rosser, fast mode, to be run by Valgrind.
    Counted,
}

impl Build {
    /// Every variant, the plain one first.
    pub const ALL: [Self; 5] =
        [Self::Plain, Self::Checked, Self::Parallel, Self::Sanitizer, Self::Counted];

    /// The name of the directory it is built in.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Checked => "checked",
            Self::Parallel => "parallel",
            Self::Sanitizer => "tsan",
            Self::Counted => "counted",
        }
    }
}

impl Variant {
    /// All of them, in the order of the table.
    pub const ALL: [Self; 9] = [
        Self::Base,
        Self::Workers,
        Self::Empty,
        Self::Tasks,
        Self::Full,
        Self::Parallel,
        Self::Paper,
        Self::Sanitizer,
        Self::Helgrind,
    ];

    /// The name in tables and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::Workers => "workers",
            Self::Empty => "empty",
            Self::Tasks => "tasks",
            Self::Full => "full",
            Self::Parallel => "parallel",
            Self::Paper => "paper",
            Self::Sanitizer => "tsan",
            Self::Helgrind => "helgrind",
        }
    }

    /// The one of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| variant.name() == name)
    }

    /// The build that the variant runs.
    pub fn build(self) -> Build {
        match self {
            Self::Base | Self::Workers | Self::Helgrind => Build::Plain,
            Self::Sanitizer => Build::Sanitizer,
            Self::Parallel => Build::Parallel,
            Self::Empty | Self::Tasks | Self::Full | Self::Paper => Build::Checked,
        }
    }

    /// What it needs for its instructions to be counted, if they can be.
    pub fn counted_build(self) -> Option<Build> {
        match self.build() {
            Build::Plain if self == Self::Base => Some(Build::Plain),
            Build::Checked => Some(Build::Counted),
            _ => None,
        }
    }

    /// How many threads or workers it has.
    pub fn workers(self) -> u32 {
        if matches!(self, Self::Workers | Self::Parallel) { 2 } else { 1 }
    }

    /// Whether Rosser leaves a run file.
    pub fn is_checked(self) -> bool {
        matches!(self, Self::Tasks | Self::Full | Self::Parallel | Self::Paper)
    }

    /// Whether a program can be run that way.
    pub fn is_possible(self, program: &Program) -> bool {
        self != Self::Paper || program.detector().is_some()
    }
}

/// Something for each variant.
#[derive(Clone, Debug, Default)]
pub struct PerVariant<T>([T; Variant::ALL.len()]);

impl<T> PerVariant<T> {
    /// The one of a variant.
    pub fn of(&self, variant: Variant) -> &T {
        &self.0[variant as usize]
    }

    /// The one of a variant, to be changed.
    pub fn of_mut(&mut self, variant: Variant) -> &mut T {
        &mut self.0[variant as usize]
    }
}
