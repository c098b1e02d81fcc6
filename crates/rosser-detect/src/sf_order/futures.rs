//! Tasks that join elsewhere than where the tree says.
//!
//! A task that nothing joins, or that joins a scope further out than the innermost, is a *future* in
//! the sense of SF-Order: it is created at one place and got at another, once. All that a future does, with
//! the tasks that it joins itself, has the future's number; what is in none has number 0. The tree of who
//! created whom is kept here (the paper's *cp*), and sets of futures that have been got (*gp*).
//!
//! A set is a sorted list of ranges and never changes: futures of one scope mostly have neighbouring
//! numbers.
//!
//! All is relaxed: a future and a set are written before anybody else has their number, and never change (S1).

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};

use crate::storage::Exhausted;

/// The number of a future; 0 is what is in none.
pub type Future = u32;

/// A set of futures; 0 is the empty one.
pub type Set = u32;

/// All futures and sets of them.
#[derive(Debug)]
pub struct Futures {
    /// By number: who created it, and how many futures it is in.
    created_by: &'static [AtomicU64],
    next: AtomicU32,
    /// Sets: the number of ranges, then for each the first and the last.
    words: &'static [AtomicU64],
    used: AtomicU32,
}

impl Futures {
    /// No futures.
    pub fn new(created_by: &'static [AtomicU64], words: &'static [AtomicU64]) -> Self {
        Self { created_by, next: AtomicU32::new(1), words, used: AtomicU32::new(1) }
    }

    /// Forgets them. Nobody may use any meanwhile.
    pub fn clear(&self) {
        self.next.store(1, Relaxed);
        self.used.store(1, Relaxed);
    }

    /// Whether there are any.
    #[inline]
    pub fn any(&self) -> bool {
        // Out of date only for those to whom it makes no difference (S6).
        self.next.load(Relaxed) > 1
    }

    /// Creates a future, inside another or inside none.
    pub fn create(&self, by: Future) -> Result<Future, Exhausted> {
        let future = self.next.fetch_add(1, Relaxed);
        let depth = if by == 0 { 0 } else { self.depth(by) } + 1;
        let word = self.created_by.get(future as usize).ok_or(Exhausted)?;
        word.store(u64::from(by) << 32 | u64::from(depth), Relaxed);
        Ok(future)
    }

    fn depth(&self, future: Future) -> u32 {
        self.created_by[future as usize].load(Relaxed) as u32
    }

    /// Whether a future is another or has created it, directly or not.
    pub fn is_within(&self, inner: Future, outer: Future) -> bool {
        if outer == 0 {
            return true;
        }
        let (mut inner, depth) = (inner, self.depth(outer));
        while inner != 0 && self.depth(inner) > depth {
            inner = (self.created_by[inner as usize].load(Relaxed) >> 32) as Future;
        }
        inner == outer
    }

    fn ranges(&self, set: Set) -> impl Iterator<Item = (Future, Future)> {
        let len = if set == 0 { 0 } else { self.words[set as usize].load(Relaxed) as usize };
        self.words[set as usize + 1..][..len].iter().map(|word| {
            let word = word.load(Relaxed);
            ((word >> 32) as Future, word as Future)
        })
    }

    /// Whether a set has a future.
    pub fn contains(&self, set: Set, future: Future) -> bool {
        self.ranges(set).any(|(first, last)| (first..=last).contains(&future))
    }

    /// The set of one future.
    pub fn only(&self, future: Future) -> Result<Set, Exhausted> {
        self.add([(future, future)].into_iter(), 1)
    }

    /// The futures of both sets.
    pub fn both(&self, a: Set, b: Set) -> Result<Set, Exhausted> {
        if a == b || b == 0 {
            return Ok(a);
        }
        if a == 0 {
            return Ok(b);
        }
        let most = self.ranges(a).count() + self.ranges(b).count();
        let mut merged =
            Merged { a: self.ranges(a).peekable(), b: self.ranges(b).peekable(), pending: None };
        self.add(std::iter::from_fn(|| merged.next()), most)
    }

    fn add(
        &self,
        ranges: impl Iterator<Item = (Future, Future)>,
        most: usize,
    ) -> Result<Set, Exhausted> {
        let room = u32::try_from(most + 1).map_err(|_| Exhausted)?;
        let set = self.used.fetch_add(room, Relaxed);
        let words = self.words.get(set as usize..).and_then(|words| words.get(..=most));
        let words = words.ok_or(Exhausted)?;
        let mut len = 0;
        for (first, last) in ranges {
            len += 1;
            words[len].store(u64::from(first) << 32 | u64::from(last), Relaxed);
        }
        words[0].store(len as u64, Relaxed);
        Ok(set)
    }
}

/// The ranges of two sets in order, those that touch as one.
struct Merged<I: Iterator> {
    a: std::iter::Peekable<I>,
    b: std::iter::Peekable<I>,
    pending: Option<I::Item>,
}

impl<I: Iterator<Item = (Future, Future)>> Merged<I> {
    fn next(&mut self) -> Option<(Future, Future)> {
        loop {
            let from_a = match (self.a.peek(), self.b.peek()) {
                (Some(a), Some(b)) => a.0 <= b.0,
                (Some(_), None) => true,
                (None, Some(_)) => false,
                (None, None) => return self.pending.take(),
            };
            let range = if from_a { self.a.next() } else { self.b.next() }?;
            match &mut self.pending {
                Some(pending) if range.0 <= pending.1.saturating_add(1) => {
                    pending.1 = pending.1.max(range.1);
                }
                pending => {
                    if let Some(complete) = pending.replace(range) {
                        return Some(complete);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::atomic::AtomicU64;

    use super::Futures;

    fn zeros(len: usize) -> &'static [AtomicU64] {
        (0..len).map(|_| AtomicU64::new(0)).collect::<Vec<_>>().leak()
    }

    #[test]
    fn sets_have_what_was_put_into_them() {
        let futures = Futures::new(zeros(8), zeros(100_000));
        let mut state = 5u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as u32
        };
        let mut sets = vec![(0, BTreeSet::new())];
        for _ in 0..500 {
            let future = 1 + random() % 40;
            sets.push((futures.only(future).unwrap(), BTreeSet::from([future])));
            let (a, b) = (random() as usize % sets.len(), random() as usize % sets.len());
            let both = futures.both(sets[a].0, sets[b].0).unwrap();
            let expected: BTreeSet<u32> = sets[a].1.union(&sets[b].1).copied().collect();
            for future in 0..42 {
                assert_eq!(futures.contains(both, future), expected.contains(&future));
            }
            sets.push((both, expected));
        }
    }

    #[test]
    fn futures_are_within_those_that_created_them() {
        let futures = Futures::new(zeros(8), zeros(8));
        let outer = futures.create(0).unwrap();
        let inner = futures.create(outer).unwrap();
        let beside = futures.create(0).unwrap();
        assert!(futures.is_within(inner, inner) && futures.is_within(inner, outer));
        assert!(futures.is_within(inner, 0) && futures.is_within(0, 0));
        assert!(!futures.is_within(outer, inner) && !futures.is_within(inner, beside));
        assert!(!futures.is_within(0, outer));
    }
}
