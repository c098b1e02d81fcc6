//! Heat in a rod: each point moves towards the mean of its neighbours.

use std::mem::swap;

use rayon::prelude::*;

use crate::size::Size;
use crate::unsafe_slice::UnsafeSlice;

/// Lets heat flow. It does not get more, or less, away from the ends.
pub fn run(size: Size) -> u64 {
    let (points, steps) = size.pick((6_000, 4), (2_000_000, 80));
    let mut old = rod(points);
    let before: f64 = old.iter().map(|&heat| f64::from(heat)).sum();
    let mut new = old.clone();
    for _ in 0..steps {
        new[1..points - 1]
            .par_iter_mut()
            .zip(old.par_windows(3))
            .for_each(|(new, old)| *new = old[1] + 0.25 * (old[0] - 2.0 * old[1] + old[2]));
        swap(&mut old, &mut new);
    }
    let after: f64 = old.iter().map(|&heat| f64::from(heat)).sum();
    assert!((after - before).abs() < 1e-3 * before, "{before} became {after}");
    after.round() as u64
}

/// The mistake: it flows in place.
pub fn racy(size: Size) -> u64 {
    let points = size.pick(6_000, 2_000_000);
    let mut rod = rod(points);
    let shared = UnsafeSlice::new(&mut rod);
    (1..points - 1).into_par_iter().for_each(|i| {
        // SAFETY: none, that is the mistake.
        unsafe {
            let around = *shared.get(i - 1) + *shared.get(i + 1); // race: they are changing, too
            *shared.get(i) = 0.5 * *shared.get(i) + 0.25 * around; // race: neighbours need it
        }
    });
    rod.iter().map(|&heat| heat as u64).sum()
}

/// Cold, with a hot part in the middle.
fn rod(points: usize) -> Vec<f32> {
    (0..points).map(|i| if i.abs_diff(points / 2) < points / 6 { 100.0 } else { 0.0 }).collect()
}
