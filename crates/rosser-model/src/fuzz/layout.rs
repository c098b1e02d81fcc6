//! How the locations of the model become bytes of words, and its accesses those of a checked program.

use rosser_detect::kind::Kind;
use rosser_detect::{Access, LocId, Operator};

/// How locations are laid out in words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// A word for each.
    Words,
    /// Four in a word, of one byte or two by turns.
    Bytes,
}

impl Layout {
    /// The word of a location, and its bytes there.
    pub fn place(self, location: LocId) -> (usize, u8) {
        let index = location.0 as usize;
        match self {
            Self::Words => (index, 0xff),
            Self::Bytes => (index / 4, [0b1, 0b110, 0b1000, 0b1111_0000][index % 4]),
        }
    }

    /// The locations that some bytes of a word belong to.
    pub fn locations(self, word: usize, bytes: u8) -> impl Iterator<Item = LocId> {
        let first = if self == Self::Words { word } else { word * 4 };
        let count = if self == Self::Words { 1 } else { 4 };
        (first..first + count)
            .map(|index| LocId(u32::try_from(index).expect("few locations")))
            .filter(move |location| self.place(*location).1 & bytes != 0)
    }
}

/// What an access is to the engines of checked programs.
pub fn kind(access: Access) -> Kind {
    match access {
        Access::Read => Kind::Read,
        Access::Write => Kind::Write,
        Access::AtomicRead => Kind::Load,
        Access::AtomicWrite => Kind::Store,
        Access::Update(operator) => match operator {
            Operator::Add => Kind::Add,
            Operator::Mul => Kind::Mul,
            Operator::And => Kind::And,
            Operator::Or => Kind::Or,
            Operator::Xor => Kind::Xor,
            Operator::Min => Kind::Min,
            Operator::Max => Kind::Max,
            Operator::Sub | Operator::Div => Kind::Swap,
        },
        Access::Fetch(_) => Kind::Swap,
    }
}
