//! Points as triples of `f32`: turned in place, and the box that all are in.

use rayon::prelude::*;

use crate::random::Random;
use crate::size::Size;

type Point = [f32; 3];

/// Four quarter turns bring every point back to where it was.
pub fn run(size: Size) -> u64 {
    let (count, rounds) = size.pick((4_000, 1), (500_000, 20));
    let mut random = Random::new(10);
    let before: Vec<Point> =
        (0..count).map(|_| [(); 3].map(|()| random.coarse() as f32 - 0.5)).collect();
    let mut points = before.clone();
    let mut low = [0.0; 3];
    for _ in 0..4 * rounds {
        points.par_iter_mut().for_each(|point| {
            let [x, y, z] = *point;
            *point = [-y, x, z];
        });
        low = points.par_iter().copied().reduce(|| [f32::MAX; 3], lower);
    }
    assert_eq!(points, before);
    assert_eq!(low, points.iter().copied().fold([f32::MAX; 3], lower));
    low.iter().map(|axis| (axis * -64.0) as u64).sum()
}

fn lower(a: Point, b: Point) -> Point {
    [a[0].min(b[0]), a[1].min(b[1]), a[2].min(b[2])]
}
