//! What to relabel when two neighbours of an ordered list touch: the smallest aligned range of labels around them
//! that is sparse enough (M. Bender, R. Cole, E. Demaine, M. Farach-Colton and J. Zito, *Two Simplified Algorithms for
//! Maintaining Order in a List*, ESA 2002).
//!
//! There are two lists, because what they owe their users differs: [`list`](super::list) is one worker's, has one level,
//! and grows with hints of where more will come; that of [`sf_order`](crate::sf_order::order) has two levels, and is read
//! by all workers while it grows.

/// No element.
pub(crate) const NONE: u32 = u32::MAX;
/// Labels stay below this, so that range arithmetic cannot overflow.
pub(crate) const LIMIT: u64 = 1 << 62;
/// A range of 2^i labels may hold up to (2/SLACK)^i elements.
const SLACK: f64 = 1.4;

/// Elements in order, each with a label.
pub(crate) trait Labelled {
    /// The label of an element.
    fn label(&self, element: u32) -> u64;
    /// The element after one, or [`NONE`].
    fn next(&self, element: u32) -> u32;
    /// The element before one, or [`NONE`].
    fn previous(&self, element: u32) -> u32;
}

/// Elements that follow each other, and what they are to be labelled with.
pub(crate) struct Range {
    /// The first element.
    pub first: u32,
    /// How many there are.
    pub count: u64,
    /// The label of the first.
    pub low: u64,
    /// How far apart labels are.
    pub step: u64,
}

/// The smallest sparse enough range around an element; none if all labels are in use.
pub(crate) fn range_around(order: &impl Labelled, element: u32) -> Option<Range> {
    let centre = order.label(element);
    let (mut first, mut last, mut count) = (element, element, 1u64);
    let mut capacity = 1.0;
    for bits in 1..=62 {
        capacity *= 2.0 / SLACK;
        let low = centre & !((1 << bits) - 1);
        let high = low + ((1 << bits) - 1);
        loop {
            let previous = order.previous(first);
            if previous == NONE || order.label(previous) < low {
                break;
            }
            first = previous;
            count += 1;
        }
        loop {
            let next = order.next(last);
            if next == NONE || order.label(next) > high {
                break;
            }
            last = next;
            count += 1;
        }
        let step = (1u64 << bits) / (count + 1);
        if (count as f64) < capacity && step >= 4 {
            return Some(Range { first, count, low, step });
        }
    }
    None
}

/// For tests of lists: calls `check` with how many elements to insert, and functions that say after which.
#[cfg(test)]
pub(crate) fn insertion_orders(mut check: impl FnMut(usize, &mut dyn FnMut(usize) -> usize)) {
    check(3000, &mut |new| new - 1);
    check(3000, &mut |_| 0);
    check(3000, &mut |new| new / 2);
    let mut state = 7u64;
    check(4000, &mut |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize
    });
}
