//! The ways a program is built and run.

/// One of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// As it is, on one thread.
    Base,
    /// With stock `ThreadSanitizer`, on one thread.
    Sanitizer,
    /// `cargo rosser --fast`.
    Fast,
    /// `cargo rosser --quick`.
    Quick,
}

impl Variant {
    /// All of them, in the order of the table.
    pub const ALL: [Self; 4] = [Self::Base, Self::Sanitizer, Self::Fast, Self::Quick];

    /// The name in tables, and of the directory it is built in.
    pub fn name(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::Sanitizer => "tsan",
            Self::Fast => "fast",
            Self::Quick => "quick",
        }
    }

    /// Whether Rosser checks it.
    pub fn is_checked(self) -> bool {
        matches!(self, Self::Fast | Self::Quick)
    }
}

/// Something for each variant.
#[derive(Clone, Debug, Default)]
pub struct PerVariant<T>([T; 4]);

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
