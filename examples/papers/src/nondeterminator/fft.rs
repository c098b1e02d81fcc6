//! Fast Fourier transform: even and odd elements in parallel, then combined, by halves.

use std::f64::consts::TAU;

use rayon::join;

use crate::check::{Outcome, digest_floats, ensure};
use crate::random::Random;
use crate::shared::Shared;
use crate::size::Size;

/// What is no longer than this makes no tasks.
const CUT_OFF: usize = 128;

#[derive(Clone, Copy)]
struct Complex {
    re: f64,
    im: f64,
}

/// Transforms forth and back and checks that nothing has changed.
pub fn run(size: Size, racy: bool) -> Outcome {
    let n: usize = 1 << size.pick(10, 20, 20);
    let mut random = Random::new(7);
    let signal: Vec<Complex> =
        (0..n).map(|_| Complex { re: random.coarse(), im: random.coarse() }).collect();
    let roots: Vec<Complex> = (0..n / 2)
        .map(|i| (TAU * i as f64 / n as f64).sin_cos())
        .map(|(sin, cos)| Complex { re: cos, im: -sin })
        .collect();
    let mut spectrum = signal.clone();
    let mut space = signal.clone();
    transform(&mut spectrum, &mut space, &roots, racy);

    // The way back is the way forth with real and imaginary parts exchanged.
    let exchanged = |c: &Complex| Complex { re: c.im, im: c.re };
    let mut back: Vec<Complex> = spectrum.iter().map(exchanged).collect();
    transform(&mut back, &mut space, &roots, racy);
    for (was, is) in signal.iter().zip(&back) {
        let (re, im) = (is.im / n as f64, is.re / n as f64);
        ensure((was.re - re).abs() + (was.im - im).abs() < 1e-9, "it does not come back")?;
    }
    Ok(digest_floats(spectrum.iter().flat_map(|c| [&c.re, &c.im])))
}

/// Transforms `data` with `space` of the same length. The roots are those of the whole signal.
fn transform(data: &mut [Complex], space: &mut [Complex], roots: &[Complex], racy: bool) {
    let n = data.len();
    if n == 1 {
        return;
    }
    let (even, odd) = space.split_at_mut(n / 2);
    separate(data, even, odd);
    let (low, high) = data.split_at_mut(n / 2);
    let stride = 2 * roots.len() / n;
    if n <= CUT_OFF {
        transform(even, low, roots, racy);
        transform(odd, high, roots, racy);
        combine(even, odd, low, high, roots, stride);
    } else if racy {
        let (early, lower) = (Shared::slice(even), Shared::slice(low));
        join(
            || transform(even, low, roots, racy),
            || {
                transform(odd, high, roots, racy);
                // SAFETY: there is none. The even elements are still being transformed.
                let (even, low) = unsafe { (early.as_slice(), lower.as_mut_slice()) };
                combine(even, odd, low, high, roots, stride);
            },
        );
    } else {
        join(|| transform(even, low, roots, racy), || transform(odd, high, roots, racy));
        combine(even, odd, low, high, roots, stride);
    }
}

fn separate(data: &[Complex], even: &mut [Complex], odd: &mut [Complex]) {
    for i in 0..even.len() {
        even[i] = data[2 * i]; // race: see `combine`
        odd[i] = data[2 * i + 1]; // race: see `combine`
    }
}

/// One transform of two of half the length.
fn combine(
    even: &[Complex],
    odd: &[Complex],
    low: &mut [Complex],
    high: &mut [Complex],
    roots: &[Complex],
    stride: usize,
) {
    if even.len() > CUT_OFF {
        let middle = even.len() / 2;
        let (low0, low1) = low.split_at_mut(middle);
        let (high0, high1) = high.split_at_mut(middle);
        let (roots0, roots1) = roots.split_at(middle * stride);
        join(
            || combine(&even[..middle], &odd[..middle], low0, high0, roots0, stride),
            || combine(&even[middle..], &odd[middle..], low1, high1, roots1, stride),
        );
        return;
    }
    for i in 0..even.len() {
        let root = roots[i * stride];
        let e = even[i]; // race: the even elements may not be transformed yet
        let o = odd[i]; // race: this may be a part of the even elements' transform
        let re = root.re * o.re - root.im * o.im;
        let im = root.re * o.im + root.im * o.re;
        low[i] = Complex { re: e.re + re, im: e.im + im }; // race: it may be in use
        high[i] = Complex { re: e.re - re, im: e.im - im }; // race: likewise
    }
}
