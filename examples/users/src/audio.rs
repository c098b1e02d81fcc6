//! Mixes two tracks of 16-bit samples, and looks for the peak.

use rayon::prelude::*;

use crate::random::Random;
use crate::size::Size;

/// Mixes at several volumes. The louder, the higher the peak.
pub fn run(size: Size) -> u64 {
    let (samples, volumes) = size.pick((20_000, 3), (2_000_000, 30));
    let (left, right) = (track(samples, 4), track(samples, 5));
    let mut last = 0;
    let mut sum = 0;
    for volume in 0..volumes {
        let mixed: Vec<i16> = left
            .par_iter()
            .zip(&right)
            .map(|(&left, &right)| (left / 128 * volume).saturating_add(right / 128 * volume))
            .collect();
        let peak = mixed.par_iter().map(|sample| sample.unsigned_abs()).max();
        let peak = peak.expect("there are samples");
        assert!(peak >= last);
        last = peak;
        sum += u64::from(peak);
    }
    sum
}

fn track(samples: usize, seed: u64) -> Vec<i16> {
    let mut random = Random::new(seed);
    (0..samples).map(|_| random.next() as i16).collect()
}
