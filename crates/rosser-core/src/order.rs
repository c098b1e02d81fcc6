//! Order maintenance: a list into which elements are inserted anywhere and whose order is asked
//! for in one comparison of labels.
//!
//! One level of 64-bit labels, relabelled over the smallest sparse enough aligned range when two
//! neighbours touch (M. Bender, R. Cole, E. Demaine, M. Farach-Colton and J. Zito, *Two Simplified
//! Algorithms for Maintaining Order in a List*, ESA 2002): O(log n) amortised per insertion. Their
//! second level would make that O(1), at the price of one more dependent load in every
//! comparison, and comparisons outnumber insertions by far.

const NONE: u32 = u32::MAX;
/// Labels stay below this, so that range arithmetic cannot overflow.
const LIMIT: u64 = 1 << 62;
/// A range of 2^i labels may hold up to (2/SLACK)^i elements.
const SLACK: f64 = 1.4;
/// How far from its neighbour an element goes where there is plenty of room.
const STRIDE: u64 = 1 << 30;
/// How far after the last element one goes before which more will come: at first, and at least.
/// Many such regions one after the other use up the labels; then all are moved together, and the
/// next ones are smaller.
const REGION: u64 = 1 << 50;
const LEAST_REGION: u64 = 1 << 34;

/// Where in a gap a new element goes. It is always right; a good guess at where the next ones will
/// go saves relabelling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Near {
    /// Close to the element before: more will come after the new one.
    Before,
    /// Close to the element after: more will come before the new one.
    After,
    /// As `After`, but leaving much room between the two, too.
    AfterWithRoom,
}

/// The list. Elements are dense indices, in order of insertion.
#[derive(Clone, Debug)]
pub(crate) struct OrderList {
    label: Vec<u64>,
    next: Vec<u32>,
    previous: Vec<u32>,
    last: u32,
    region: u64,
    relabelled: u64,
}

impl OrderList {
    /// A list with element 0 in it.
    pub(crate) fn new() -> Self {
        Self {
            label: vec![0],
            next: vec![NONE],
            previous: vec![NONE],
            last: 0,
            region: REGION,
            relabelled: 0,
        }
    }

    /// The label of an element. Labels of one moment compare as the elements are ordered; any
    /// insertion may change them.
    #[inline]
    pub(crate) fn label(&self, element: u32) -> u64 {
        self.label[element as usize]
    }

    /// The element after the given one.
    pub(crate) fn successor(&self, element: u32) -> Option<u32> {
        let next = self.next[element as usize];
        (next != NONE).then_some(next)
    }

    /// How many labels were changed by insertions, as a measure of their cost.
    pub(crate) fn relabelled(&self) -> u64 {
        self.relabelled
    }

    /// Inserts a new element right before the given one, or at the end of the list.
    pub(crate) fn insert_before(&mut self, after: Option<u32>, near: Near) -> u32 {
        let before = after.map_or(self.last, |after| self.previous[after as usize]);
        self.insert_after(before, near)
    }

    /// Inserts a new element right after the given one.
    pub(crate) fn insert_after(&mut self, before: u32, near: Near) -> u32 {
        if before == self.last && LIMIT - self.label(before) < 8 * self.region {
            self.move_together();
        }
        let mut label = self.free_label_after(before, near);
        if label.is_none() {
            self.make_room(before);
            label = self.free_label_after(before, near);
        }
        let label = label.expect("relabelling leaves gaps");
        let new = u32::try_from(self.label.len()).expect("fewer than 2^32 elements");
        let after = self.next[before as usize];
        self.label.push(label);
        self.next.push(after);
        self.previous.push(before);
        self.next[before as usize] = new;
        if after == NONE {
            self.last = new;
        } else {
            self.previous[after as usize] = new;
        }
        new
    }

    /// A label strictly between an element and its successor, if there is one.
    fn free_label_after(&self, before: u32, near: Near) -> Option<u64> {
        let low = self.label[before as usize];
        let after = self.next[before as usize];
        let high = if after == NONE { LIMIT } else { self.label[after as usize] };
        let gap = high - low;
        if gap < 2 {
            return None;
        }
        let at_end = near != Near::Before && after != NONE;
        let most = match near {
            Near::Before => STRIDE,
            Near::After if at_end => STRIDE,
            Near::After | Near::AfterWithRoom => self.region,
        };
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
            let count = self.label.len() as u64;
            // Element 0 is the first for ever: every other is inserted after one.
            self.spread(0, count, 0, STRIDE.min(LIMIT / (4 * count)));
        }
    }

    /// Spreads the elements of the smallest sparse enough aligned range around an element.
    #[cold]
    fn make_room(&mut self, around: u32) {
        let centre = self.label[around as usize];
        let (mut first, mut last, mut count) = (around, around, 1u64);
        let mut capacity = 1.0;
        for bits in 1..=62 {
            capacity *= 2.0 / SLACK;
            let low = centre & !((1 << bits) - 1);
            let high = low + ((1 << bits) - 1);
            loop {
                let previous = self.previous[first as usize];
                if previous == NONE || self.label[previous as usize] < low {
                    break;
                }
                first = previous;
                count += 1;
            }
            loop {
                let next = self.next[last as usize];
                if next == NONE || self.label[next as usize] > high {
                    break;
                }
                last = next;
                count += 1;
            }
            let step = (1u64 << bits) / (count + 1);
            if (count as f64) < capacity && step >= 4 {
                self.spread(first, count, low, step);
                return;
            }
        }
        unreachable!("2^32 elements fit into 2^62 labels with room to spare");
    }

    fn spread(&mut self, first: u32, count: u64, low: u64, step: u64) {
        let mut element = first;
        for i in 0..count {
            self.label[element as usize] = low + i * step;
            element = self.next[element as usize];
        }
        self.relabelled += count;
    }
}

#[cfg(test)]
mod tests {
    use super::{Near, OrderList};

    /// Inserts at positions chosen by `choose` and checks the labels against a plain vector.
    fn check(count: usize, mut choose: impl FnMut(usize) -> usize) {
        for near in [Near::Before, Near::After, Near::AfterWithRoom] {
            let mut list = OrderList::new();
            let mut expected = vec![0u32];
            for i in 1..count {
                let position = choose(i) % expected.len();
                let new = if i % 2 == 0 {
                    list.insert_after(expected[position], near)
                } else {
                    list.insert_before(expected.get(position + 1).copied(), near)
                };
                expected.insert(position + 1, new);
            }
            for pair in expected.windows(2) {
                assert!(list.label(pair[0]) < list.label(pair[1]));
                assert_eq!(list.successor(pair[0]), Some(pair[1]));
            }
        }
    }

    #[test]
    fn appending_keeps_the_order() {
        check(3000, |i| i - 1);
    }

    #[test]
    fn always_inserting_at_one_point_keeps_the_order() {
        check(3000, |_| 0);
        check(3000, |i| i / 2);
    }

    #[test]
    fn random_insertions_keep_the_order() {
        let mut state = 7u64;
        check(4000, |_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize
        });
    }

    #[test]
    fn relabelling_is_logarithmic_per_insertion() {
        let count = 200_000;
        for near in [Near::Before, Near::After, Near::AfterWithRoom] {
            let mut list = OrderList::new();
            for _ in 0..count {
                list.insert_after(0, near);
            }
            assert!(list.relabelled() < 30 * count, "{} labels changed", list.relabelled());
        }
    }

    #[test]
    fn regions_one_after_the_other_are_moved_together_a_few_times() {
        let mut list = OrderList::new();
        let count = 100_000;
        for _ in 0..count {
            let end = list.last;
            list.insert_after(end, Near::After);
            list.insert_after(end, Near::Before);
        }
        assert!(list.relabelled() < 6 * count, "{} labels changed", list.relabelled());
        let mut element = 0;
        while let Some(next) = list.successor(element) {
            assert!(list.label(element) < list.label(next));
            element = next;
        }
    }

    #[test]
    fn a_good_guess_needs_no_relabelling() {
        let mut list = OrderList::new();
        let mut at = 0;
        for _ in 0..100_000 {
            at = list.insert_after(at, Near::Before);
        }
        assert_eq!(list.relabelled(), 0);
    }
}
