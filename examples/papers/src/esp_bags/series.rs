//! Fourier coefficients of (x + 1)ˣ between 0 and 2, each by a task.

use std::f64::consts::PI;

use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use crate::check::{Outcome, digest_floats, ensure_near};
use crate::shared::Shared;
use crate::size::Size;

/// Intervals of the integration.
const INTERVALS: usize = 1000;

/// Computes coefficients and compares the first with known ones.
pub fn run(size: Size, racy: bool) -> Outcome {
    const FIRST: [[f64; 2]; 4] = [
        [2.872_952_496_483_799_6, 0.0],
        [1.116_104_667_614_788_8, -1.881_969_189_339_802_5],
        [0.344_290_603_981_687_04, -1.164_564_262_332_095_8],
        [0.152_388_987_025_192_88, -0.814_346_111_304_429_8],
    ];
    let n = size.pick(6, 6000, 1_000_000);
    let mut coefficients = vec![[0.0; 2]; n];
    let mut frequency = 0.0;
    let shared = Shared::one(&mut frequency);
    coefficients.par_iter_mut().enumerate().for_each(|(i, pair)| {
        let mut own = 0.0;
        // The bug: what every task needs for itself exists only once.
        let frequency = if racy { shared } else { Shared::one(&mut own) };
        // SAFETY: without the bug, it is this task's own.
        unsafe { *frequency.get() = PI * i as f64 } // race: others need another one
        let integral = |f: fn(f64, f64) -> f64| {
            // SAFETY: likewise.
            let frequency = unsafe { *frequency.get() }; // race: it may be another task's
            integrate(|x| (x + 1.0).powf(x) * f(frequency, x))
        };
        *pair = if i == 0 {
            [integral(|_, _| 1.0) / 2.0, 0.0]
        } else {
            [integral(|n, x| (n * x).cos()), integral(|n, x| (n * x).sin())]
        };
    });
    for (is, expected) in coefficients.iter().flatten().zip(FIRST.iter().flatten()) {
        ensure_near("a coefficient", *is, *expected, 1e-5)?;
    }
    Ok(digest_floats(coefficients.iter().flatten()))
}

/// The integral between 0 and 2, by trapezoids. As in the original, which the known coefficients are
/// from, the last point but one is left out.
fn integrate(f: impl Fn(f64) -> f64) -> f64 {
    let width = 2.0 / INTERVALS as f64;
    let inner: f64 = (1..INTERVALS - 1).map(|i| f(width * i as f64)).sum();
    width * (inner + f64::midpoint(f(0.0), f(2.0)))
}
