//! How programs are built.

/// What the command is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// Nothing: as most users have it.
    Default,
    /// To be quick.
    Quick,
    /// To take cargo's profile for releases: no debug assertions, and arithmetic that wraps.
    Release,
}

impl Build {
    /// A name of its own.
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Quick => "quick",
            Self::Release => "release",
        }
    }

    /// Flags for the command.
    pub fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Default => &[],
            Self::Quick => &["--quick"],
            Self::Release => &["--release"],
        }
    }

    /// The directory in which cargo leaves executables, in that of the target.
    pub fn directory(self) -> &'static str {
        match self {
            Self::Default | Self::Quick => "debug",
            Self::Release => "release",
        }
    }
}
