//! How much a program has to do.

/// The sizes there are.
#[derive(Clone, Copy, Debug)]
pub enum Size {
    /// For tests: milliseconds.
    Tiny,
    /// For measurements: some tenths of a second.
    Small,
}

impl Size {
    /// The size with this name.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "tiny" => Some(Self::Tiny),
            "small" => Some(Self::Small),
            _ => None,
        }
    }

    /// The first of the two for tests, the second for measurements.
    pub fn pick<T>(self, tiny: T, small: T) -> T {
        match self {
            Self::Tiny => tiny,
            Self::Small => small,
        }
    }
}
