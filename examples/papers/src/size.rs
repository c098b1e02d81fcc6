//! How much a program has to do.

/// The sizes there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// For tests: milliseconds.
    Tiny,
    /// For measurements: some tenths of a second.
    Small,
    /// The input of the paper, as far as it is known.
    Paper,
}

impl Size {
    /// The size with this name.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "tiny" => Some(Self::Tiny),
            "small" => Some(Self::Small),
            "paper" => Some(Self::Paper),
            _ => None,
        }
    }

    /// One of three, in the order of the sizes.
    pub fn pick<T>(self, tiny: T, small: T, paper: T) -> T {
        match self {
            Self::Tiny => tiny,
            Self::Small => small,
            Self::Paper => paper,
        }
    }
}
