//! Where on the side of a box the lines attach.
//!
//! All lines that run in the free strip between two neighbouring boxes are spread together, so
//! that no two of them lie on top of each other, and in an order that lets them turn away
//! without crossing.

/// Which way a line turns after it has left the box, seen along the strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Towards smaller coordinates.
    Before,
    /// Not at all: it runs straight into the box at the other end of the strip.
    Straight,
    /// Towards larger coordinates.
    After,
}

/// One end of a line in a strip.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    pub turn: Turn,
    /// Whether the line belongs to the box at the start of the strip, not to the one at its end.
    pub outgoing: bool,
    /// How far along the strip it turns.
    pub bend: f64,
    /// Where it goes, across the strip.
    pub far: f64,
}

/// The distance of two lines, if there is room.
const STEP: f64 = 12.0;

/// Offsets from the centre of the strip for its ends, none beyond `reach`.
pub(crate) fn spread(ends: &[End], reach: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..ends.len()).collect();
    order.sort_by(|&a, &b| compare(&ends[a], &ends[b]));
    let (middle, longest) = balance(ends);
    let step = if longest * STEP > reach { reach / longest } else { STEP };
    let mut offsets = vec![0.0; ends.len()];
    for (place, &index) in order.iter().enumerate() {
        offsets[index] = (place as f64 - middle) * step;
    }
    offsets
}

/// The reach at which the ends keep their full distance.
pub(crate) fn comfortable_reach(ends: &[End]) -> f64 {
    balance(ends).1 * STEP
}

/// How many ends lie before the centre of the strip, and how many on its fuller side.
fn balance(ends: &[End]) -> (f64, f64) {
    let before = ends.iter().filter(|end| end.turn == Turn::Before).count();
    // A straight line keeps the centre, where it is straight for both boxes.
    if ends.iter().any(|end| end.turn == Turn::Straight) {
        let after = ends.len() - 1 - before;
        return (before as f64, before.max(after) as f64);
    }
    let half = ends.len().saturating_sub(1) as f64 / 2.0;
    (half, half)
}

/// The order of two ends across the strip. Of the lines that turn to the same side, the
/// outermost outgoing one turns first and the outermost incoming one last, so that the others
/// pass beyond it; among those that turn at the same place, the outermost goes furthest.
fn compare(a: &End, b: &End) -> std::cmp::Ordering {
    let key = |end: &End| (end.turn as u8, !end.outgoing);
    key(a).cmp(&key(b)).then_with(|| {
        let rising = (a.turn == Turn::Before) == a.outgoing;
        let by_bend = if rising { a.bend.total_cmp(&b.bend) } else { b.bend.total_cmp(&a.bend) };
        by_bend.then(a.far.total_cmp(&b.far))
    })
}

#[cfg(test)]
mod tests {
    use super::{End, Turn, spread};

    fn end(turn: Turn, outgoing: bool, bend: f64, far: f64) -> End {
        End { turn, outgoing, bend, far }
    }

    #[test]
    fn offsets_are_distinct_within_reach_and_straight_is_central() {
        let ends = [
            end(Turn::After, true, 1.0, 9.0),
            end(Turn::Straight, true, 1.0, 0.0),
            end(Turn::After, false, 1.0, 8.0),
            end(Turn::Before, true, 1.0, -3.0),
        ];
        let mut offsets = spread(&ends, 20.0);
        assert!(offsets[1].abs() < f64::EPSILON);
        assert!(offsets.iter().all(|o| o.abs() <= 20.0));
        offsets.sort_by(f64::total_cmp);
        assert!(offsets.windows(2).all(|pair| pair[1] - pair[0] > 1.0));
    }

    #[test]
    fn the_outermost_outgoing_line_turns_first() {
        let ends = [end(Turn::Before, true, 5.0, 0.0), end(Turn::Before, true, 2.0, 0.0)];
        let offsets = spread(&ends, 50.0);
        assert!(offsets[1] < offsets[0]);
        assert!(spread(&[], 5.0).is_empty());
    }
}
