//! Blurs a grey image: each pixel becomes the mean of nine. One item for each row.

use std::mem::swap;

use rayon::prelude::*;

use crate::random::Random;
use crate::size::Size;
use crate::unsafe_slice::UnsafeSlice;

/// Blurs again and again: differences of neighbours get smaller.
pub fn run(size: Size) -> u64 {
    let (width, rounds) = size.pick((64, 2), (1_024, 12));
    let mut image = image(width);
    let before = roughness(&image);
    let mut blurred = image.clone();
    for _ in 0..rounds {
        blurred.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, pixel) in row.iter_mut().enumerate() {
                if (1..width - 1).contains(&x) && (1..width - 1).contains(&y) {
                    *pixel = mean(x, y, |x, y| image[y * width + x]);
                }
            }
        });
        swap(&mut image, &mut blurred);
    }
    assert!(roughness(&image) < before);
    image.iter().map(|&pixel| u64::from(pixel)).sum()
}

/// The mistake: it blurs in place, and rows see neighbours that are blurred or not.
pub fn racy(size: Size) -> u64 {
    let width = size.pick(64, 1_024);
    let mut image = image(width);
    let shared = UnsafeSlice::new(&mut image);
    (1..width - 1).into_par_iter().for_each(|y| {
        for x in 1..width - 1 {
            // SAFETY: none, that is the mistake.
            let pixel = mean(x, y, |x, y| unsafe { *shared.get(y * width + x) }); // race: a neighbour
            // SAFETY: none, as above.
            unsafe { *shared.get(y * width + x) = pixel } // race: neighbours read it
        }
    });
    image.iter().map(|&pixel| u64::from(pixel)).sum()
}

fn mean(x: usize, y: usize, pixel: impl Fn(usize, usize) -> u8) -> u8 {
    let mut sum = 0_u16;
    for y in y - 1..=y + 1 {
        for x in x - 1..=x + 1 {
            sum += u16::from(pixel(x, y));
        }
    }
    (sum / 9) as u8
}

fn roughness(image: &[u8]) -> u64 {
    image.windows(2).map(|pair| u64::from(pair[0].abs_diff(pair[1]))).sum()
}

fn image(width: usize) -> Vec<u8> {
    let mut random = Random::new(6);
    (0..width * width).map(|_| random.next() as u8).collect()
}
