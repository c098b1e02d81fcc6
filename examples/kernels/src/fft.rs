//! Fast Fourier transform: even and odd elements in parallel, then combined.

use std::f64::consts::TAU;

use rayon::join;

use crate::random::Random;
use crate::size::Size;

/// What is no longer than this makes no tasks.
const CUT_OFF: usize = 256;

#[derive(Clone, Copy)]
struct Complex {
    re: f64,
    im: f64,
}

/// Transforms forth and back and checks that nothing has changed.
pub fn run(size: Size) -> u64 {
    let n: usize = 1 << size.pick(10, 20);
    let mut random = Random::new(7);
    let signal: Vec<Complex> =
        (0..n).map(|_| Complex { re: random.coarse(), im: random.coarse() }).collect();
    let roots: Vec<Complex> = (0..n / 2)
        .map(|i| (TAU * i as f64 / n as f64).sin_cos())
        .map(|(sin, cos)| Complex { re: cos, im: -sin })
        .collect();
    let mut spectrum = signal.clone();
    let mut space = signal.clone();
    transform(&mut spectrum, &mut space, &roots);

    // The way back is the way forth with real and imaginary parts exchanged.
    let exchanged = |c: &Complex| Complex { re: c.im, im: c.re };
    let mut back: Vec<Complex> = spectrum.iter().map(exchanged).collect();
    transform(&mut back, &mut space, &roots);
    for (was, is) in signal.iter().zip(&back) {
        let (re, im) = (is.im / n as f64, is.re / n as f64);
        assert!((was.re - re).abs() + (was.im - im).abs() < 1e-9);
    }
    (spectrum[0].re + spectrum[0].im).round() as u64
}

/// Transforms `data` with `space` of the same length. The roots are those of the whole signal.
fn transform(data: &mut [Complex], space: &mut [Complex], roots: &[Complex]) {
    let n = data.len();
    if n == 1 {
        return;
    }
    let (even, odd) = space.split_at_mut(n / 2);
    for (i, pair) in data.chunks_exact(2).enumerate() {
        even[i] = pair[0];
        odd[i] = pair[1];
    }
    let (low, high) = data.split_at_mut(n / 2);
    if n <= CUT_OFF {
        transform(even, low, roots);
        transform(odd, high, roots);
    } else {
        join(|| transform(even, low, roots), || transform(odd, high, roots));
    }
    let stride = 2 * roots.len() / n;
    for i in 0..n / 2 {
        let (root, e, o) = (roots[i * stride], even[i], odd[i]);
        let turned =
            Complex { re: root.re * o.re - root.im * o.im, im: root.re * o.im + root.im * o.re };
        low[i] = Complex { re: e.re + turned.re, im: e.im + turned.im };
        high[i] = Complex { re: e.re - turned.re, im: e.im - turned.im };
    }
}
