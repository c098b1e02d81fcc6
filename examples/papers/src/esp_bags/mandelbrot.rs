//! The Mandelbrot set as a bitmap, in 16 bands of rows.

use rayon::scope;

use crate::check::{Outcome, digest, ensure, ensure_near};
use crate::shared::Shared;
use crate::size::Size;

/// Tasks.
const BANDS: usize = 16;
const ITERATIONS: u32 = 50;

/// Draws the set, and checks its symmetry and its area.
pub fn run(size: Size, racy: bool) -> Outcome {
    let n: usize = size.pick(44, 1604, 4004);
    // The rows of a bitmap begin with a byte. The bug: they do not.
    let stride = if racy { n } else { n.next_multiple_of(8) };
    let mut bits = vec![0_u8; (n * stride).div_ceil(8)];
    let all = Shared::slice(&mut bits);
    scope(|s| {
        for band in 0..BANDS {
            s.spawn(move |_| {
                for y in band * n / BANDS..(band + 1) * n / BANDS {
                    draw_row(n, y, y * stride, all);
                }
            });
        }
    });
    let bit = |x: usize, y: usize| bits[(y * stride + x) / 8] >> (7 - (y * stride + x) % 8) & 1;
    let symmetric = (0..n).all(|x| (1..n).all(|y| bit(x, y) == bit(x, n - y)));
    ensure(symmetric, "the set is not symmetric")?;
    let inside: u32 = (0..n * n).map(|at| u32::from(bit(at % n, at / n))).sum();
    let area = 4.0 * f64::from(inside) / (n * n) as f64;
    ensure_near("the area", area, 1.51, 0.1)?;
    Ok(digest(bits.iter().map(|&byte| u64::from(byte))))
}

/// Draws a row whose first bit is at `start`.
fn draw_row(n: usize, y: usize, start: usize, bits: Shared<u8>) {
    for x in 0..n {
        let (re, im) = (2.0 * x as f64 / n as f64 - 1.5, 2.0 * y as f64 / n as f64 - 1.0);
        let (at, mask) = ((start + x) / 8, 0x80 >> ((start + x) % 8));
        let set = if is_inside(re, im) { mask } else { 0 };
        // SAFETY: without the bug, no other task has a bit of the byte.
        unsafe { *bits.at(at) = *bits.at(at) & !mask | set } // race: another row may be there, too
    }
}

fn is_inside(x: f64, y: f64) -> bool {
    let (mut a, mut b) = (x, y);
    for _ in 0..ITERATIONS {
        let (aa, bb) = (a * a, b * b);
        if aa + bb > 4.0 {
            return false;
        }
        (a, b) = (aa - bb + x, 2.0 * a * b + y);
    }
    true
}
