//! The Mandelbrot set: the rows of the picture in parallel.

use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

use crate::size::Size;

/// After so many iterations a point is taken to be in the set.
const LIMIT: u16 = 250;

/// Draws the set and checks that it is as long above the real axis as below.
pub fn run(size: Size) -> u64 {
    let (width, height) = size.pick((24, 16), (1200, 800));
    let mut picture = vec![0_u16; width * height];
    picture.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        let imaginary = (2 * y + 1) as f64 / height as f64 - 1.0;
        for (x, pixel) in row.iter_mut().enumerate() {
            *pixel = escape(3.0 * x as f64 / width as f64 - 2.0, imaginary);
        }
    });

    let sum = |pixels: &[u16]| pixels.iter().map(|&pixel| u64::from(pixel)).sum::<u64>();
    let (upper, lower) = picture.split_at(width * height / 2);
    assert!(sum(upper).abs_diff(sum(lower)) < sum(upper) / 100);
    sum(&picture)
}

/// After how many iterations a point has left the disc of radius two.
fn escape(real: f64, imaginary: f64) -> u16 {
    let (mut x, mut y) = (0.0, 0.0);
    for iteration in 0..LIMIT {
        let (xx, yy) = (x * x, y * y);
        if xx + yy > 4.0 {
            return iteration;
        }
        y = 2.0 * x * y + imaginary;
        x = xx - yy + real;
    }
    LIMIT
}
