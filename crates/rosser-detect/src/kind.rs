//! What an access does, and which pairs of accesses conflict.

/// The kind of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Kind {
    /// A plain read.
    #[default]
    Read,
    /// A plain write.
    Write,
    /// The end of a heap block, as bad as a write to all of it.
    Free,
    /// An atomic load.
    Load,
    /// An atomic store.
    Store,
    /// An atomic update that does not commute with others like it: exchange, compare-exchange, and whatever
    /// the program uses the old value of.
    Swap,
    /// Atomic addition and subtraction.
    Add,
    /// Atomic multiplication.
    Mul,
    /// Atomic bitwise and.
    And,
    /// Atomic bitwise or.
    Or,
    /// Atomic bitwise exclusive or.
    Xor,
    /// Atomic minimum.
    Min,
    /// Atomic maximum.
    Max,
}

/// What two logically parallel accesses to the same byte are to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// Neither notices the other.
    Independent,
    /// They may be exchanged.
    Commuting,
    /// Both are atomic; the order shows.
    Atomic,
    /// A plain access conflicts with another.
    Plain,
}

impl Kind {
    /// All of them, in order.
    pub const ALL: [Self; 13] = [
        Self::Read,
        Self::Write,
        Self::Free,
        Self::Load,
        Self::Store,
        Self::Swap,
        Self::Add,
        Self::Mul,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::Min,
        Self::Max,
    ];

    /// Whether it is an atomic operation.
    #[inline]
    pub fn is_atomic(self) -> bool {
        self as u8 >= Self::Load as u8
    }

    /// Whether it changes memory.
    #[inline]
    pub fn writes(self) -> bool {
        !matches!(self, Self::Read | Self::Load)
    }

    /// Whether it is an accumulation, which commutes with others like it.
    #[inline]
    pub fn accumulates(self) -> bool {
        self as u8 >= Self::Add as u8
    }

    /// What two parallel accesses of these kinds are to each other.
    #[inline]
    pub fn relation(self, other: Self) -> Relation {
        if !self.writes() && !other.writes() {
            Relation::Independent
        } else if !self.is_atomic() || !other.is_atomic() {
            Relation::Plain
        } else if self == other && self.accumulates() {
            Relation::Commuting
        } else {
            Relation::Atomic
        }
    }

    /// Whether every later access conflicts with this one at least as badly as with `other`.
    #[inline]
    pub fn covers(self, other: Self) -> bool {
        match self {
            Self::Write | Self::Free => true,
            Self::Read => matches!(other, Self::Read | Self::Load),
            Self::Store | Self::Swap => other.is_atomic(),
            _ => self == other,
        }
    }
}

/// How an atomic access orders others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ordering {
    /// It acquires what was released at its word.
    pub acquires: bool,
    /// It releases what its task knows.
    pub releases: bool,
}

#[cfg(test)]
mod tests {
    use super::{Kind, Relation};

    /// How bad a relation is.
    fn badness(relation: Relation) -> u8 {
        match relation {
            Relation::Independent | Relation::Commuting => 0,
            Relation::Atomic => 1,
            Relation::Plain => 2,
        }
    }

    #[test]
    fn covering_means_conflicting_at_least_as_badly_with_everything() {
        for a in Kind::ALL {
            for b in Kind::ALL {
                assert_eq!(a.relation(b), b.relation(a));
                let worse = Kind::ALL
                    .iter()
                    .all(|&later| badness(a.relation(later)) >= badness(b.relation(later)));
                assert!(!a.covers(b) || worse, "{a:?} does not cover {b:?}");
                assert!(a.covers(a));
            }
        }
    }
}
