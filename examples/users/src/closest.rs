//! The closest pair of points: a loop in a loop, both parallel.

use rayon::prelude::*;

use crate::random::Random;
use crate::size::Size;

type Point = (f32, f32);

/// Looks at all pairs; two points were put next to each other.
pub fn run(size: Size) -> u64 {
    let count = size.pick(200, 8_000);
    let mut random = Random::new(21);
    let mut points: Vec<Point> =
        (0..count).map(|_| (random.unit() as f32, random.unit() as f32)).collect();
    points[count / 3] = (points[count / 2].0 + 1e-6, points[count / 2].1);
    let (_, i, j) = (0..count)
        .into_par_iter()
        .flat_map(|i| {
            let points = &points;
            let pairs = (i + 1..count).into_par_iter();
            pairs.map(move |j| (distance(points[i], points[j]), i, j))
        })
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .expect("there are pairs");
    assert_eq!((i, j), (count / 3, count / 2));
    (i * count + j) as u64
}

fn distance(a: Point, b: Point) -> f32 {
    (a.0 - b.0).hypot(a.1 - b.1)
}
