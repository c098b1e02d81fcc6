//! Order maintenance for many readers: a list into which elements are inserted anywhere, by whoever has
//! the list's lock, and whose order anybody may ask for without one.
//!
//! The list is that of `rosser-shadow::order` (Bender, Cole, Demaine, Farach-Colton and Zito, *Two
//! Simplified Algorithms for Maintaining Order in a List*, ESA 2002): one level of 64-bit labels, relabelled
//! over the smallest sparse enough aligned range when two neighbours touch. An insertion without
//! relabelling changes no label, so it disturbs nobody. Relabelling is done under an odd version, and
//! whoever has read labels meanwhile reads them again.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64, fence};

use rosser_shadow::storage::Exhausted;

use crate::spin::pause;

const NONE: u32 = u32::MAX;
/// Labels stay below this, so that range arithmetic cannot overflow.
const LIMIT: u64 = 1 << 62;
/// A range of 2^i labels may hold up to (2/SLACK)^i elements.
const SLACK: f64 = 1.4;
/// How far from its neighbour an element goes where there is plenty of room.
const STRIDE: u64 = 1 << 24;
/// How far after the last element the next one goes: at first, and at least. Many such regions one after
/// the other use up the labels; then all are moved together, and the next ones are smaller.
const REGION: u64 = 1 << 50;
const LEAST_REGION: u64 = 1 << 34;

/// Where in a gap a new element goes. It is always right; a good guess at where the next ones will
/// go saves relabelling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Near {
    /// Close to the element before: more will come after the new one.
    Before,
    /// Close to the element after: more will come before the new one.
    After,
    /// In the middle.
    Middle,
    /// Further from the element before: most will come before the new one, and some after it.
    Late,
}

/// An element.
#[derive(Debug, Default)]
pub struct Link {
    label: AtomicU64,
    next: AtomicU32,
    previous: AtomicU32,
}

const _: () = assert!(size_of::<Link>() == 16);

/// The list. Elements are numbers that the caller gives; 0 is the first for ever.
#[derive(Debug)]
pub struct OrderList {
    links: &'static [Link],
    /// Odd while labels change.
    version: AtomicU64,
    len: AtomicU32,
    region: AtomicU64,
    relabelled: AtomicU64,
}

/// An element and its label, as long as labels do not change.
#[derive(Clone, Copy, Debug, Default)]
pub struct Position {
    element: u32,
    label: u64,
    version: u64,
}

impl OrderList {
    /// A list with element 0 only.
    pub fn new(links: &'static [Link]) -> Self {
        let list = Self {
            links,
            version: AtomicU64::new(2),
            len: AtomicU32::new(1),
            region: AtomicU64::new(REGION),
            relabelled: AtomicU64::new(0),
        };
        list.clear();
        list
    }

    /// Makes it a list with element 0 only. Nobody may use it meanwhile.
    pub fn clear(&self) {
        let first = &self.links[0];
        first.label.store(0, Relaxed);
        first.next.store(NONE, Relaxed);
        first.previous.store(NONE, Relaxed);
        self.len.store(1, Relaxed);
        self.region.store(REGION, Relaxed);
        // Positions from before are void.
        self.version.fetch_add(2, Release);
    }

    /// How many labels were changed by insertions, as a measure of their cost.
    pub fn relabelled(&self) -> u64 {
        self.relabelled.load(Relaxed)
    }

    fn label(&self, element: u32) -> u64 {
        self.links[element as usize].label.load(Relaxed)
    }

    fn next(&self, element: u32) -> u32 {
        self.links[element as usize].next.load(Relaxed)
    }

    fn previous(&self, element: u32) -> u32 {
        self.links[element as usize].previous.load(Relaxed)
    }

    /// Where an element is.
    pub fn position(&self, element: u32) -> Position {
        let mut tries = 0;
        loop {
            let version = self.version.load(Acquire);
            if version & 1 == 0 {
                let label = self.label(element);
                fence(Acquire);
                if self.version.load(Relaxed) == version {
                    return Position { element, label, version };
                }
            }
            pause(&mut tries);
        }
    }

    /// Whether an element comes before that of a position, which is brought up to date.
    #[inline]
    pub fn is_before(&self, element: u32, position: &mut Position) -> bool {
        loop {
            // Inserted by somebody whose insertion happened before this call, so the label is there.
            let label = self.label(element);
            fence(Acquire);
            if self.version.load(Relaxed) == position.version {
                return label < position.label;
            }
            *position = self.position(position.element);
        }
    }

    /// Inserts a new element right after the given one. The caller has the list's lock.
    pub fn insert_after(&self, before: u32, new: u32, near: Near) -> Result<(), Exhausted> {
        let link = self.links.get(new as usize).ok_or(Exhausted)?;
        let region = self.region.load(Relaxed);
        if self.next(before) == NONE && LIMIT - self.label(before) < 8 * region {
            self.move_together(region);
        }
        let mut label = self.free_label_after(before, near);
        if label.is_none() {
            self.make_room(before);
            label = self.free_label_after(before, near);
        }
        let after = self.next(before);
        link.label.store(label.ok_or(Exhausted)?, Relaxed);
        link.next.store(after, Relaxed);
        link.previous.store(before, Relaxed);
        self.links[before as usize].next.store(new, Relaxed);
        if after != NONE {
            self.links[after as usize].previous.store(new, Relaxed);
        }
        self.len.store(self.len.load(Relaxed) + 1, Relaxed);
        Ok(())
    }

    /// A label strictly between an element and its successor, if there is one.
    fn free_label_after(&self, before: u32, near: Near) -> Option<u64> {
        let (low, after) = (self.label(before), self.next(before));
        let high = if after == NONE { LIMIT } else { self.label(after) };
        let gap = high - low;
        if gap < 2 {
            return None;
        }
        // In a small gap an eighth from the side, so that there is room left on both.
        Some(match near {
            Near::Before => low + (gap / 8).clamp(1, STRIDE),
            Near::After if after != NONE => high - (gap / 8).clamp(1, STRIDE),
            Near::Middle if after != NONE => low + gap / 2,
            Near::Late if after != NONE => high - gap / 8 - 1,
            Near::After | Near::Middle | Near::Late => {
                low + (gap / 8).clamp(1, self.region.load(Relaxed))
            }
        })
    }

    /// Makes room at the end. Every time the regions become smaller by so much that this happens
    /// a handful of times at most.
    #[cold]
    fn move_together(&self, region: u64) {
        if region > LEAST_REGION {
            self.region.store(region >> 4, Relaxed);
            let count = u64::from(self.len.load(Relaxed));
            self.spread(0, count, 0, STRIDE.min(LIMIT / (4 * count)));
        }
    }

    /// Spreads the elements of the smallest sparse enough aligned range around an element.
    #[cold]
    fn make_room(&self, around: u32) {
        let centre = self.label(around);
        let (mut first, mut last, mut count) = (around, around, 1u64);
        let mut capacity = 1.0;
        for bits in 1..=62 {
            capacity *= 2.0 / SLACK;
            let low = centre & !((1 << bits) - 1);
            let high = low + ((1 << bits) - 1);
            loop {
                let previous = self.previous(first);
                if previous == NONE || self.label(previous) < low {
                    break;
                }
                first = previous;
                count += 1;
            }
            loop {
                let next = self.next(last);
                if next == NONE || self.label(next) > high {
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
    }

    fn spread(&self, first: u32, count: u64, low: u64, step: u64) {
        let version = self.version.load(Relaxed);
        self.version.store(version + 1, Relaxed);
        fence(Release);
        let mut element = first;
        for i in 0..count {
            self.links[element as usize].label.store(low + i * step, Relaxed);
            element = self.next(element);
        }
        self.version.store(version + 2, Release);
        self.relabelled.fetch_add(count, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
    use std::thread;

    use super::{Link, Near, OrderList};

    fn list(len: usize) -> OrderList {
        OrderList::new((0..len).map(|_| Link::default()).collect::<Vec<_>>().leak())
    }

    /// Inserts at positions chosen by `choose` and checks the order against a plain vector.
    fn check(count: u32, mut choose: impl FnMut(u32) -> u32) {
        for near in [Near::Before, Near::After, Near::Middle, Near::Late] {
            let list = list(count as usize);
            let mut expected = vec![0u32];
            for new in 1..count {
                let position = choose(new) as usize % expected.len();
                list.insert_after(expected[position], new, near).unwrap();
                expected.insert(position + 1, new);
            }
            for pair in expected.windows(2) {
                assert!(list.is_before(pair[0], &mut list.position(pair[1])));
                assert!(!list.is_before(pair[1], &mut list.position(pair[0])));
            }
            assert!(list.insert_after(0, count, near).is_err(), "there is no room left");
        }
    }

    #[test]
    fn insertions_keep_the_order() {
        check(3000, |new| new - 1);
        check(3000, |_| 0);
        check(3000, |new| new / 2);
        let mut state = 7u64;
        check(4000, |_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as u32
        });
    }

    #[test]
    fn whoever_asks_while_labels_change_gets_the_order() {
        const COUNT: u32 = 100_000;
        let list = list(COUNT as usize);
        let (inserted, done) = (AtomicU32::new(0), AtomicBool::new(false));
        thread::scope(|scope| {
            scope.spawn(|| {
                // Each right after 0, so the newest comes first; there is little room.
                for new in 1..COUNT {
                    list.insert_after(0, new, Near::Middle).unwrap();
                    inserted.store(new, Ordering::Release);
                }
                done.store(true, Ordering::Release);
            });
            let mut asked = 0u64;
            while !done.load(Ordering::Acquire) || asked == 0 {
                let newest = inserted.load(Ordering::Acquire);
                if newest > 2 {
                    let mut position = list.position(newest / 2);
                    assert!(list.is_before(newest, &mut position));
                    assert!(!list.is_before(1, &mut position));
                    asked += 1;
                }
            }
        });
        assert!(list.relabelled() > 0, "the test is for changing labels");
    }
}
