//! Where the locations of a program are in memory.

/// How many locations a program can have.
pub const LOCATIONS: usize = 16;

/// How many accesses a program can make in [`Layout::Steps`].
pub const STEPS: usize = 128;

/// Room for everything, in words.
pub const WORDS: usize = STEPS;

/// How locations are laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// A word of the heap for each.
    Words,
    /// Four in a word of the heap: two of one byte, one of two and one of four.
    Bytes,
    /// Eight bytes of the heap for each, the halves of two neighbouring words.
    Halves,
    /// A word for each on the stack of a task.
    Stack,
    /// A word of the heap for each access: it reads the words of all earlier ones and writes its own,
    /// whatever the location. So every pair of steps is asked about, and not only those that happen to
    /// access the same location.
    Steps,
}

impl Layout {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Words, Self::Bytes, Self::Halves, Self::Stack, Self::Steps];

    /// Where a location is, in bytes from the first, and how many bytes it has.
    #[inline(never)]
    pub fn place(self, location: usize) -> (usize, usize) {
        match self {
            Self::Words | Self::Stack | Self::Steps => (location * 8, 8),
            Self::Halves => (location * 8 + 4, 8),
            Self::Bytes => {
                let (offset, size) = [(0, 1), (4, 4), (2, 2), (1, 1)][location % 4];
                (location / 4 * 8 + offset, size)
            }
        }
    }

    /// Whether there is not enough room for values, so that they are kept elsewhere.
    #[inline(never)]
    pub fn cuts(self) -> bool {
        matches!(self, Self::Bytes | Self::Steps)
    }

    /// The locations that have one of the given bytes of the word at an offset.
    pub(crate) fn locations(self, word: usize, bytes: u8) -> impl Iterator<Item = usize> {
        let count = if self == Self::Steps { STEPS } else { LOCATIONS };
        (0..count).filter(move |location| {
            let (offset, size) = self.place(*location);
            (0..8).any(|byte| {
                bytes >> byte & 1 == 1 && (offset..offset + size).contains(&(word + byte))
            })
        })
    }
}
