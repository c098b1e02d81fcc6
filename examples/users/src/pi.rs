//! Pi by throwing darts: each item has its own random numbers.

use std::f64::consts::PI;

use rayon::prelude::*;

use crate::random::Random;
use crate::size::Size;

/// Throws darts at a square, and counts those in the circle.
pub fn run(size: Size) -> u64 {
    let darts = size.pick(20_000, 20_000_000);
    let hits = (0..darts).into_par_iter().filter(|&dart| is_hit(&mut Random::new(dart))).count();
    let pi = 4.0 * hits as f64 / darts as f64;
    assert!((pi - PI).abs() < 0.1, "{pi}");
    hits as u64
}

fn is_hit(random: &mut Random) -> bool {
    let (x, y) = (random.unit(), random.unit());
    x * x + y * y <= 1.0
}

/// The state of a generator that all items share.
static mut STATE: u64 = 1;

/// The mistake: the state is plain.
pub fn racy(size: Size) -> u64 {
    let darts = size.pick(20_000, 20_000_000);
    let next = || {
        // SAFETY: none, that is the mistake.
        unsafe {
            STATE = STATE.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1); // race: all use it
            (STATE >> 40) as f64 / (1_u64 << 24) as f64 // race: as above
        }
    };
    let hits = (0..darts).into_par_iter().filter(|_| {
        let (x, y) = (next(), next());
        x * x + y * y <= 1.0
    });
    hits.count() as u64
}
