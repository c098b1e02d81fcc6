//! Parallel tracks for the line segments that share a gutter or a channel.
//!
//! Segments that overlap get different tracks. Which of them comes first decides how many
//! crossings there are, so the order is chosen by inserting one segment after the other where it
//! crosses least, and then giving every segment a second chance.

/// The side of the channel on which a segment's end leaves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Upwards for a horizontal channel, leftwards for a vertical gutter.
    Before,
    /// Downwards or rightwards.
    After,
}

/// A segment along a channel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    lo: f64,
    hi: f64,
    lo_side: Side,
    hi_side: Side,
}

impl Segment {
    /// A segment between two ends, given in any order.
    pub(crate) fn new(a: (f64, Side), b: (f64, Side)) -> Self {
        let (lo, hi) = if a.0 <= b.0 { (a, b) } else { (b, a) };
        Self { lo: lo.0, hi: hi.0, lo_side: lo.1, hi_side: hi.1 }
    }

    /// The same segment, reserving at least `length` around its middle, for a label.
    pub(crate) fn at_least(mut self, length: f64) -> Self {
        let missing = (length - (self.hi - self.lo)).max(0.0) / 2.0;
        self.lo -= missing;
        self.hi += missing;
        self
    }

    fn overlaps(&self, other: &Self, clearance: f64) -> bool {
        self.lo < other.hi + clearance && other.lo < self.hi + clearance
    }

    /// Crossings when `self` lies before `other`: ends that leave towards the other segment.
    /// A tie at an end counts half, since only the exact positions decide it.
    fn crossings_before(&self, other: &Self) -> u32 {
        let leaving = |from: &Self, side: Side, through: &Self| {
            [(from.lo, from.lo_side), (from.hi, from.hi_side)]
                .into_iter()
                .filter(|&(_, leaves)| leaves == side)
                .map(|(at, _)| {
                    u32::from(through.lo <= at && at <= through.hi)
                        + u32::from(through.lo < at && at < through.hi)
                })
                .sum::<u32>()
        };
        leaving(self, Side::After, other) + leaving(other, Side::Before, self)
    }
}

/// The track of every segment, counted from the `Before` side; `clearance` is the distance that
/// two segments on one track keep.
pub(crate) fn assign(segments: &[Segment], clearance: f64) -> Vec<usize> {
    let mut by_start: Vec<usize> = (0..segments.len()).collect();
    by_start.sort_by(|&a, &b| {
        let (a, b) = (&segments[a], &segments[b]);
        a.lo.total_cmp(&b.lo).then(a.hi.total_cmp(&b.hi))
    });
    let mut order = Vec::with_capacity(segments.len());
    for &index in &by_start {
        let place = best_place(segments, &order, index);
        order.insert(place, index);
    }
    for index in by_start {
        order.retain(|&other| other != index);
        let place = best_place(segments, &order, index);
        order.insert(place, index);
    }

    let mut tracks = vec![0; segments.len()];
    for (place, &index) in order.iter().enumerate() {
        tracks[index] = order[..place]
            .iter()
            .filter(|&&other| segments[index].overlaps(&segments[other], clearance))
            .map(|&other| tracks[other] + 1)
            .max()
            .unwrap_or(0);
    }
    tracks
}

/// The place in `order` where the segment causes the fewest crossings.
fn best_place(segments: &[Segment], order: &[usize], index: usize) -> usize {
    let new = &segments[index];
    // Start in front of all others, then step behind one after the other.
    let mut cost: i64 = order.iter().map(|&o| i64::from(new.crossings_before(&segments[o]))).sum();
    let (mut best, mut best_cost) = (0, cost);
    for (place, &other) in order.iter().enumerate() {
        let other = &segments[other];
        cost += i64::from(other.crossings_before(new)) - i64::from(new.crossings_before(other));
        if cost < best_cost {
            (best, best_cost) = (place + 1, cost);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::{Segment, Side, assign};
    use crate::draw::testing::Dice;

    #[test]
    fn overlapping_segments_never_share_a_track() {
        let mut dice = Dice::new(3);
        for _ in 0..100 {
            let end = |dice: &mut Dice| {
                let side = [Side::Before, Side::After][dice.below(2)];
                (dice.below(40) as f64, side)
            };
            let segments: Vec<Segment> =
                (0..12).map(|_| Segment::new(end(&mut dice), end(&mut dice))).collect();
            let tracks = assign(&segments, 1.0);
            for a in 0..segments.len() {
                for b in 0..a {
                    assert!(tracks[a] != tracks[b] || !segments[a].overlaps(&segments[b], 1.0));
                }
            }
        }
    }

    #[test]
    fn nested_arcs_do_not_cross() {
        // Both hang from above, so the inner one has to lie nearer to the top.
        let up = Side::Before;
        let outer = Segment::new((0.0, up), (10.0, up));
        let inner = Segment::new((3.0, up), (6.0, up));
        assert_eq!(assign(&[outer, inner], 0.0), [1, 0]);
    }

    #[test]
    fn disjoint_segments_share_a_track() {
        let up = Side::Before;
        let parts = [Segment::new((0.0, up), (1.0, up)), Segment::new((5.0, up), (6.0, up))];
        assert_eq!(assign(&parts, 1.0), [0, 0]);
        assert_eq!(assign(&parts.map(|p| p.at_least(6.0)), 0.0).iter().max(), Some(&1));
    }
}
