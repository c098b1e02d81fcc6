//! Order maintenance: a list into which elements are inserted anywhere and whose order is asked
//! for in one comparison of labels.
//!
//! One level of 64-bit labels, [relabelled](super::relabelling) when two neighbours touch: O(log n) amortised for an
//! insertion, 16 bytes for an element. A second level would make that O(1), at the price of one more dependent load in
//! every comparison, and comparisons outnumber insertions by far.

use super::relabelling::{LIMIT, Labelled, NONE, Range, range_around};
use crate::storage::{Exhausted, Stack};

/// How far from its neighbour an element goes where there is plenty of room.
const STRIDE: u64 = 1 << 24;
/// How far after the last element one goes before which more will come: at first, and at least.
/// Many such regions one after the other use up the labels; then all are moved together, and the
/// next ones are smaller.
const REGION: u64 = 1 << 50;
const LEAST_REGION: u64 = 1 << 34;

/// Where in a gap a new element goes. It is always right; a good guess at where the next ones will
/// go saves relabelling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Near {
    /// Close to the element before: more will come after the new one.
    Before,
    /// Close to the element after: more will come before the new one.
    After,
    /// As `After`, but leaving much room between the two, too.
    AfterWithRoom,
    /// In the middle of the gap.
    Middle,
}

/// An element: its label and its neighbours.
#[derive(Clone, Copy, Default, Debug)]
pub struct Link {
    label: u64,
    next: u32,
    previous: u32,
}

const _: () = assert!(size_of::<Link>() == 16);

/// The list. Elements are dense indices, in order of insertion; 0 is the first for ever.
#[derive(Debug)]
pub(super) struct OrderList {
    links: Stack<Link>,
    last: u32,
    region: u64,
    relabelled: u64,
}

impl OrderList {
    /// An empty list, to be [cleared](Self::clear) before it is used.
    pub(super) fn new(links: &'static mut [Link]) -> Self {
        Self { links: Stack::new(links), last: 0, region: REGION, relabelled: 0 }
    }

    /// Makes it a list with element 0 only.
    pub(super) fn clear(&mut self) -> Result<(), Exhausted> {
        self.links.clear();
        self.links.push(Link { label: 0, next: NONE, previous: NONE })?;
        (self.last, self.region) = (0, REGION);
        Ok(())
    }

    /// Makes room for so many more elements.
    pub(super) fn reserve(&mut self, room: usize) {
        self.links.reserve(room);
    }

    /// The label of an element. Labels of one moment compare as the elements are ordered; any
    /// insertion may change them.
    #[inline]
    pub(super) fn label(&self, element: u32) -> u64 {
        self.links[element].label
    }

    /// The last element.
    pub(super) fn last(&self) -> u32 {
        self.last
    }

    /// How many elements there are.
    pub(super) fn len(&self) -> u32 {
        self.links.len()
    }

    /// How many labels were changed by insertions, as a measure of their cost.
    pub(super) fn relabelled(&self) -> u64 {
        self.relabelled
    }

    /// Inserts a new element right after the given one.
    pub(super) fn insert_after(&mut self, before: u32, near: Near) -> Result<u32, Exhausted> {
        if before == self.last && LIMIT - self.label(before) < 8 * self.region {
            self.move_together();
        }
        let mut label = self.free_label_after(before, near);
        if label.is_none() {
            self.make_room(before);
            label = self.free_label_after(before, near);
        }
        let after = self.links[before].next;
        let label = label.ok_or(Exhausted)?;
        let new = self.links.add(Link { label, next: after, previous: before })?;
        self.links[before].next = new;
        if after == NONE {
            self.last = new;
        } else {
            self.links[after].previous = new;
        }
        Ok(new)
    }

    /// A label strictly between an element and its successor, if there is one.
    fn free_label_after(&self, before: u32, near: Near) -> Option<u64> {
        let Link { label: low, next: after, .. } = self.links[before];
        let high = if after == NONE { LIMIT } else { self.links[after].label };
        let gap = high - low;
        if gap < 2 {
            return None;
        }
        let at_end = near != Near::Before && after != NONE;
        let most = match near {
            Near::Before => STRIDE,
            Near::After if at_end => STRIDE,
            Near::After | Near::AfterWithRoom | Near::Middle => self.region,
        };
        if near == Near::Middle && at_end {
            return Some(low + gap / 2);
        }
        // In a small gap an eighth from the side, so that there is room left on both.
        let distance = (gap / 8).clamp(1, most);
        Some(if at_end { high - distance } else { low + distance })
    }

    /// Makes room at the end. Every time the regions become smaller by so much that this happens
    /// a handful of times at most.
    #[cold]
    fn move_together(&mut self) {
        if self.region > LEAST_REGION {
            self.region >>= 4;
            let count = u64::from(self.links.len());
            self.spread(0, count, 0, STRIDE.min(LIMIT / (4 * count)));
        }
    }

    /// Spreads the elements of the smallest sparse enough aligned range around an element.
    #[cold]
    fn make_room(&mut self, around: u32) {
        if let Some(Range { first, count, low, step }) = range_around(self, around) {
            self.spread(first, count, low, step);
        }
    }

    fn spread(&mut self, first: u32, count: u64, low: u64, step: u64) {
        let mut element = first;
        for i in 0..count {
            let link = &mut self.links[element];
            link.label = low + i * step;
            element = link.next;
        }
        self.relabelled += count;
    }
}

impl Labelled for OrderList {
    fn label(&self, element: u32) -> u64 {
        self.links[element].label
    }

    fn next(&self, element: u32) -> u32 {
        self.links[element].next
    }

    fn previous(&self, element: u32) -> u32 {
        self.links[element].previous
    }
}

#[cfg(test)]
mod tests {
    use super::{Link, Near, OrderList};
    use crate::order::relabelling::insertion_orders;

    fn list(len: usize) -> OrderList {
        let mut list = OrderList::new(vec![Link::default(); len].leak());
        list.clear().unwrap();
        list
    }

    /// Inserts at positions chosen by `choose` and checks the labels against a plain vector.
    fn check(count: usize, choose: &mut dyn FnMut(usize) -> usize) {
        for near in [Near::Before, Near::After, Near::AfterWithRoom] {
            let mut list = list(count);
            let mut expected = vec![0u32];
            for i in 1..count {
                let position = choose(i) % expected.len();
                let new = list.insert_after(expected[position], near).unwrap();
                expected.insert(position + 1, new);
            }
            for pair in expected.windows(2) {
                assert!(list.label(pair[0]) < list.label(pair[1]));
            }
            assert!(list.insert_after(0, near).is_err(), "there is no room left");
        }
    }

    #[test]
    fn insertions_keep_the_order() {
        insertion_orders(check);
    }

    #[test]
    fn relabelling_is_logarithmic_per_insertion() {
        let count = 200_000;
        for near in [Near::Before, Near::After, Near::AfterWithRoom] {
            let mut list = list(count + 1);
            for _ in 0..count {
                list.insert_after(0, near).unwrap();
            }
            assert!(list.relabelled() < 30 * count as u64, "{} labels changed", list.relabelled());
        }
    }
}
