//! The nearest neighbours of many points, by looking at all others.

use rayon::prelude::*;

use crate::random::Random;
use crate::size::Size;
use crate::unsafe_slice::UnsafeSlice;

type Point = [f32; 2];

const K: usize = 8;

/// Finds them; the nearest is the point itself.
pub fn run(size: Size) -> u64 {
    let points = points(size);
    let neighbours: Vec<Vec<usize>> = points
        .par_iter()
        .map(|&point| {
            let others = points.iter().enumerate();
            let mut others: Vec<(f32, usize)> =
                others.map(|(i, &other)| (distance(point, other), i)).collect();
            others.select_nth_unstable_by(K, |a, b| a.0.total_cmp(&b.0));
            let near = &mut others[..K];
            near.sort_by(|a, b| a.0.total_cmp(&b.0));
            near.iter().map(|&(_, i)| i).collect()
        })
        .collect();
    assert!(neighbours.iter().enumerate().all(|(i, near)| near[0] == i));
    neighbours.iter().flatten().map(|&near| near as u64).sum()
}

/// The mistake: the distances go to one vector, "to allocate only once".
pub fn racy(size: Size) -> u64 {
    let points = points(size);
    let mut distances = vec![0.0_f32; points.len()];
    let shared = UnsafeSlice::new(&mut distances);
    let nearest: Vec<usize> = points
        .par_iter()
        .enumerate()
        .map(|(i, &point)| {
            let mut nearest = usize::from(i == 0);
            for (j, &other) in points.iter().enumerate() {
                // SAFETY: none, that is the mistake.
                unsafe { *shared.get(j) = distance(point, other) } // race: others have theirs there
                // SAFETY: none, as above.
                let is_nearer = unsafe { *shared.get(j) < *shared.get(nearest) }; // race: as above
                if j != i && is_nearer {
                    nearest = j;
                }
            }
            nearest
        })
        .collect();
    nearest.len() as u64
}

fn points(size: Size) -> Vec<Point> {
    let mut random = Random::new(23);
    (0..size.pick(150, 6_000)).map(|_| [(); 2].map(|()| random.unit() as f32)).collect()
}

fn distance(a: Point, b: Point) -> f32 {
    (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)
}
