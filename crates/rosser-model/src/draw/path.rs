//! The geometry of drawn lines: corners, ends, and how they become SVG path data.

use std::fmt::Write as _;

use crate::draw::palette::Head;
use crate::draw::scene::Point;

/// How much of the line the arrow head covers.
pub(crate) fn head_length(head: Head) -> f64 {
    match head {
        Head::None | Head::Vee => 0.0,
        Head::Filled | Head::Hollow => 9.0,
        Head::Diamond => 11.0,
        Head::Dot => 7.0,
    }
}

/// The point at `distance` from `from` in the direction of `to`.
pub(crate) fn towards(from: Point, to: Point, distance: f64) -> Point {
    let length = (to.x - from.x).hypot(to.y - from.y);
    if length < 1e-6 {
        return from;
    }
    let part = distance / length;
    Point { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }
}

/// Drops points where an axis-parallel line does not turn, so that corners are real corners.
pub(crate) fn without_stops(points: &[Point]) -> Vec<Point> {
    let same = |a: f64, b: f64| (a - b).abs() < 0.05;
    let mut kept: Vec<Point> = Vec::with_capacity(points.len());
    for &point in points {
        while let [.., before, last] = kept[..] {
            let no_turn = (same(before.x, last.x) && same(last.x, point.x))
                || (same(before.y, last.y) && same(last.y, point.y));
            if !no_turn {
                break;
            }
            kept.pop();
        }
        if kept.last().is_none_or(|last| !same(last.x, point.x) || !same(last.y, point.y)) {
            kept.push(point);
        }
    }
    kept
}

/// Path data through the points with rounded corners.
pub(crate) fn rounded(points: &[Point], radius: f64) -> String {
    let mut path = String::new();
    let distance = |a: Point, b: Point| (a.x - b.x).hypot(a.y - b.y);
    for (index, &point) in points.iter().enumerate() {
        let neighbours = (index.checked_sub(1).and_then(|i| points.get(i)), points.get(index + 1));
        let _ = match neighbours {
            (None, _) => write!(path, "M{:.1} {:.1}", point.x, point.y),
            (Some(_), None) => write!(path, " L{:.1} {:.1}", point.x, point.y),
            (Some(&before), Some(&after)) => {
                let room = distance(before, point).min(distance(point, after)) / 2.0;
                let (start, end) = (
                    towards(point, before, radius.min(room)),
                    towards(point, after, radius.min(room)),
                );
                write!(
                    path,
                    " L{:.1} {:.1} Q{:.1} {:.1} {:.1} {:.1}",
                    start.x, start.y, point.x, point.y, end.x, end.y
                )
            }
        };
    }
    path
}

#[cfg(test)]
mod tests {
    use super::{rounded, towards, without_stops};
    use crate::draw::scene::Point;

    fn points(list: &[(f64, f64)]) -> Vec<Point> {
        list.iter().map(|&(x, y)| Point { x, y }).collect()
    }

    #[test]
    fn stops_go_and_corners_stay() {
        let line = points(&[(0.0, 0.0), (0.0, 5.0), (0.0, 5.0), (0.0, 9.0), (4.0, 9.0)]);
        assert_eq!(without_stops(&line), points(&[(0.0, 0.0), (0.0, 9.0), (4.0, 9.0)]));
    }

    #[test]
    fn corners_are_rounded_as_far_as_there_is_room() {
        let path = rounded(&points(&[(0.0, 0.0), (0.0, 20.0), (4.0, 20.0)]), 7.0);
        assert_eq!(path, "M0.0 0.0 L0.0 18.0 Q0.0 20.0 2.0 20.0 L4.0 20.0");
        assert_eq!(rounded(&[], 7.0), "");
    }

    #[test]
    fn equal_points_have_no_direction() {
        let point = Point { x: 1.0, y: 2.0 };
        assert_eq!(towards(point, point, 5.0), point);
    }
}
