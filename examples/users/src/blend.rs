//! Lays half-transparent layers over an image of four bytes per pixel.

use rayon::prelude::*;

use crate::random::Random;
use crate::size::Size;

/// Blends, and computes some pixels once more.
pub fn run(size: Size) -> u64 {
    let (pixels, layers) = size.pick((10_000, 2), (1_000_000, 20));
    let mut random = Random::new(1);
    let background: Vec<u8> = (0..4 * pixels).map(|_| random.next() as u8).collect();
    let layer: Vec<u8> = (0..4 * pixels).map(|_| random.next() as u8).collect();
    let mut image = background.clone();
    for _ in 0..layers {
        image
            .par_chunks_exact_mut(4)
            .zip(layer.par_chunks_exact(4))
            .for_each(|(below, above)| blend(below, above));
    }

    for at in (0..pixels).step_by(101).map(|pixel| 4 * pixel) {
        let mut pixel = background[at..at + 4].to_vec();
        for _ in 0..layers {
            blend(&mut pixel, &layer[at..at + 4]);
        }
        assert_eq!(pixel, image[at..at + 4]);
    }
    image.iter().map(|&byte| u64::from(byte)).sum()
}

fn blend(below: &mut [u8], above: &[u8]) {
    let alpha = u32::from(above[3]);
    for channel in 0..3 {
        let mixed = u32::from(above[channel]) * alpha + u32::from(below[channel]) * (255 - alpha);
        below[channel] = (mixed / 255) as u8;
    }
    below[3] = below[3].max(above[3]);
}
