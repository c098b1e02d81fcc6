//! Every pixel of a grey image becomes black or white.

use rayon::prelude::*;

use crate::random::Random;
use crate::size::Size;

/// Tries several thresholds; the number of white pixels falls as they rise.
pub fn run(size: Size) -> u64 {
    let image = image(size);
    let thresholds = size.pick(3, 20);
    let mut last = image.len();
    let mut sum = 0;
    for threshold in 0..thresholds {
        let black_and_white: Vec<u8> =
            image.par_iter().map(|&pixel| if pixel > threshold { 255 } else { 0 }).collect();
        let white = black_and_white.par_iter().filter(|&&pixel| pixel == 255).count();
        assert!(white <= last);
        last = white;
        sum += white as u64;
    }
    sum
}

/// How many white pixels there are.
static mut WHITE: u64 = 0;

/// The mistake: white pixels are counted by the way, in a plain variable.
pub fn racy(size: Size) -> u64 {
    let image = image(size);
    let black_and_white: Vec<u8> = image
        .par_iter()
        .map(|&pixel| {
            if pixel > 200 {
                // SAFETY: none, that is the mistake.
                unsafe { WHITE += 1 } // race: other items count, too
                return 255;
            }
            0
        })
        .collect();
    // SAFETY: nobody counts any more.
    black_and_white.len() as u64 + unsafe { WHITE }
}

fn image(size: Size) -> Vec<u8> {
    let mut random = Random::new(3);
    (0..size.pick(20_000, 4_000_000)).map(|_| random.next() as u8).collect()
}
