//! Ranges that the present step has accessed: loops come back to them, and then there is nothing to do.

/// Ranges by where they start; a new one takes the place of an old one.
pub struct Recent {
    entries: [Entry; Self::LEN],
}

#[derive(Clone, Copy)]
struct Entry {
    start: usize,
    end: usize,
    when: When,
}

/// When a range was accessed: in which step, and how often histories had been forgotten by then.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct When {
    /// What tells steps apart. There is no entry of a step for which it is not settled yet.
    pub step: u32,
    /// Counts what makes words new: blocks that are freed, stacks that are left.
    pub forgotten: u32,
}

impl Recent {
    const LEN: usize = 64;

    /// No ranges.
    pub const NONE: Self = Self {
        entries: [Entry { start: 0, end: 0, when: When { step: 0, forgotten: 0 } }; Self::LEN],
    };

    /// Neighbours start a few words or a row apart.
    #[inline]
    fn slot(start: usize) -> usize {
        (start >> 3 ^ start >> 9) % Self::LEN
    }

    /// Whether the range is part of one that was accessed.
    #[inline]
    pub fn covers(&self, start: usize, end: usize, when: When) -> bool {
        let entry = &self.entries[Self::slot(start)];
        entry.start <= start && end <= entry.end && entry.when == when
    }

    /// The range was accessed.
    #[inline]
    pub fn note(&mut self, start: usize, end: usize, when: When) {
        self.entries[Self::slot(start)] = Entry { start, end, when };
    }
}

#[cfg(test)]
mod tests {
    use super::{Recent, When};

    #[test]
    fn parts_of_a_range_are_covered_until_something_changes() {
        let now = When { step: 7, forgotten: 1 };
        let mut recent = Recent::NONE;
        recent.note(0x1000, 0x1100, now);
        assert!(recent.covers(0x1000, 0x1100, now));
        assert!(recent.covers(0x1000, 0x10f0, now));
        assert!(!recent.covers(0x1000, 0x1101, now));
        assert!(!recent.covers(0x0ff8, 0x1100, now));
        assert!(!recent.covers(0x1000, 0x1100, When { step: 8, ..now }));
        assert!(!recent.covers(0x1000, 0x1100, When { forgotten: 2, ..now }));
    }
}
