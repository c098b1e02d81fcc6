//! The Mandelbrot set, pixel by pixel.

use rayon::prelude::*;

use crate::size::Size;

const ITERATIONS: u8 = 60;

/// Draws it, and checks that it is symmetric.
pub fn run(size: Size) -> u64 {
    let (width, height): (usize, usize) = size.pick((120, 81), (1_800, 1_201));
    let image: Vec<u8> = (0..width * height)
        .into_par_iter()
        .map(|i| {
            let (x, y) = (i % width, i / width);
            let re = 3.0 * x as f64 / width as f64 - 2.25;
            let im = 2.5 * (y as f64 - (height / 2) as f64) / height as f64;
            escape(re, im)
        })
        .collect();
    for y in 0..height / 2 {
        let row = |y: usize| &image[y * width..(y + 1) * width];
        assert_eq!(row(y), row(height - 1 - y));
    }
    image.iter().map(|&pixel| u64::from(pixel)).sum()
}

/// After how many iterations a point is known to be outside.
fn escape(re: f64, im: f64) -> u8 {
    let (mut x, mut y) = (0.0, 0.0);
    for i in 0..ITERATIONS {
        if x * x + y * y > 4.0 {
            return i;
        }
        (x, y) = (x * x - y * y + re, 2.0 * x * y + im);
    }
    ITERATIONS
}
