//! The async/finish tree as two total orders over steps.
//!
//! English order visits the tree left to right. Hebrew order does, too, but puts an async child
//! after all that follows it in its scope. A step precedes another through the tree exactly if it is
//! first in both: of two steps `a` left of `b`, the child of their lowest common ancestor above `a` is an
//! async node exactly if Hebrew order reverses them. Every step is inserted when the one before it ends, so
//! execution may take any order:
//!
//! ```text
//!              English                Hebrew
//! fork         s  child  rest         s  rest  child
//! scope        s  (body) after        s  (body) after
//! set          s  rest                s  rest
//! ```
//!
//! The body of a scope goes on in the step before it: no later step can tell the two apart.
//!
//! A task that joins a scope further out than its parent's innermost, or none, does not fit into two
//! dimensions. It is put where the tree says nothing about it, right after the root in English and
//! last of all in Hebrew order, and its fork and its join are [`super::joins`].

use super::list::{Link, Near, OrderList};
use crate::storage::Exhausted;

/// A step: a class of accesses that no later step can tell apart.
pub type Step = u32;

/// Precedes everything.
pub(crate) const ROOT: Step = 0;

/// Up to so many children of a scope get a large share of the labels.
const FEW: u8 = 2;

/// The English and the Hebrew order of the steps.
#[derive(Debug)]
pub(crate) struct Tree {
    english: OrderList,
    hebrew: OrderList,
}

impl Tree {
    pub(super) fn new(english: &'static mut [Link], hebrew: &'static mut [Link]) -> Self {
        Self { english: OrderList::new(english), hebrew: OrderList::new(hebrew) }
    }

    /// Makes it a tree of the root only.
    pub(super) fn clear(&mut self) -> Result<(), Exhausted> {
        self.english.clear()?;
        self.hebrew.clear()
    }

    /// Makes room for so many more steps.
    pub(super) fn reserve(&mut self, room: usize) {
        self.english.reserve(room);
        self.hebrew.reserve(room);
    }

    fn insert(&mut self, english: (Step, Near), hebrew: (Step, Near)) -> Result<Step, Exhausted> {
        let step = self.english.insert_after(english.0, english.1)?;
        let same = self.hebrew.insert_after(hebrew.0, hebrew.1)?;
        debug_assert_eq!(step, same, "both orders have the same elements");
        Ok(step)
    }

    /// The step that follows another in its task.
    pub(crate) fn next(&mut self, step: Step) -> Result<Step, Exhausted> {
        self.insert((step, Near::Before), (step, Near::Before))
    }

    /// The step after a scope that begins in the given step.
    pub(crate) fn after_scope(&mut self, step: Step) -> Result<Step, Exhausted> {
        self.insert((step, Near::AfterWithRoom), (step, Near::AfterWithRoom))
    }

    /// A child that joins its parent's innermost scope: its first step, and with which the parent
    /// goes on. `forks` counts the children that the parent has had in the scope.
    pub(crate) fn fork(&mut self, step: Step, forks: &mut u8) -> Result<(Step, Step), Exhausted> {
        // Of few children each may be the root of a large part of the tree; of many, not all.
        let (before, after) =
            if *forks < FEW { (Near::Middle, Near::Middle) } else { (Near::Before, Near::After) };
        *forks = (*forks + 1).min(FEW);
        let child = self.insert((step, Near::Before), (step, after))?;
        let rest = self.insert((child, before), (step, Near::Before))?;
        Ok((child, rest))
    }

    /// A step about which the tree says nothing.
    pub(crate) fn outsider(&mut self) -> Result<Step, Exhausted> {
        self.insert((ROOT, Near::Before), (self.hebrew.last(), Near::After))
    }

    /// Whether a step is another or comes before it through the tree.
    #[inline]
    pub(crate) fn precedes_or_is(&self, a: Step, b: Step) -> bool {
        self.hebrew.label(a) <= self.hebrew.label(b)
            && self.english.label(a) <= self.english.label(b)
    }

    #[inline]
    pub(super) fn english(&self, step: Step) -> u64 {
        self.english.label(step)
    }

    #[inline]
    pub(super) fn hebrew(&self, step: Step) -> u64 {
        self.hebrew.label(step)
    }

    /// How many steps there are.
    pub(crate) fn steps(&self) -> u32 {
        self.english.len()
    }

    /// How many labels were changed.
    pub(crate) fn relabelled(&self) -> u64 {
        self.english.relabelled() + self.hebrew.relabelled()
    }
}

#[cfg(test)]
mod tests {
    use super::{Link, ROOT, Tree};

    pub(super) fn tree(len: usize) -> Tree {
        let links = || vec![Link::default(); len].leak();
        let mut tree = Tree::new(links(), links());
        tree.clear().unwrap();
        tree
    }

    #[test]
    fn children_are_parallel_until_their_scope_ends() {
        let mut tree = tree(100);
        let before = tree.next(ROOT).unwrap();
        let after = tree.after_scope(before).unwrap();
        let mut forks = 0;
        let (first, rest) = tree.fork(before, &mut forks).unwrap();
        let (second, rest) = tree.fork(rest, &mut forks).unwrap();
        let in_first = tree.fork(first, &mut 0).unwrap().0;
        let outsider = tree.outsider().unwrap();
        for (a, b, ordered) in [
            (before, first, true),
            (before, second, true),
            (first, in_first, true),
            (in_first, after, true),
            (second, after, true),
            (rest, after, true),
            (first, second, false),
            (in_first, rest, false),
            (in_first, second, false),
            (second, rest, false),
            (ROOT, outsider, true),
            (before, outsider, false),
            (outsider, after, false),
        ] {
            assert_eq!(tree.precedes_or_is(a, b), ordered, "{a} {b}");
            assert!(!tree.precedes_or_is(b, a), "{b} {a}");
        }
    }
}
