//! Dense matrix multiplication by quartering: for each quarter of the result one product is a future,
//! and the other is computed meanwhile.

use rosser::{Future, finish};

use crate::check::{Outcome, digest_floats};
use crate::random::Random;
use crate::shared::Shared;
use crate::size::Size;
use crate::tiled::{self, SIDE, multiply_add_serially, quarters, quarters_mut, rows};

/// Multiplies two matrices.
pub fn run(size: Size, racy: bool) -> Outcome {
    let n = SIDE << size.pick(2, 6, 7);
    let cut_off = size.pick(16, 64, 64);
    let mut random = Random::new(31);
    let (a, b) = (tiled::coarse(n, &mut random), tiled::coarse(n, &mut random));
    let mut c = vec![0.0; n * n];
    multiply_add(&mut c, &a, &b, cut_off, racy);
    tiled::ensure_product(&a, &b, &c)?;
    Ok(digest_floats(&c))
}

fn multiply_add(c: &mut [f64], a: &[f64], b: &[f64], cut_off: usize, racy: bool) {
    if rows(c) <= cut_off {
        return multiply_add_serially(c, a, b);
    }
    let (a, b) = (quarters(a), quarters(b));
    let len = c.len() / 4;
    let mut others = vec![0.0; c.len()];
    let others = Shared::slice(&mut others);
    let other = |i: usize| others.part(i * len..(i + 1) * len);
    finish(|s| {
        let futures: [Future<()>; 4] = [0, 1, 2, 3].map(|i| {
            s.spawn_future(move |_| {
                // SAFETY: without the bug, nobody uses it before the future is got.
                let to = unsafe { other(i).as_mut_slice() };
                multiply_add(to, a[i / 2 * 2 + 1], b[2 + i % 2], cut_off, racy);
            })
        });
        for (i, (c, future)) in quarters_mut(c).into_iter().zip(futures).enumerate() {
            multiply_add(c, a[i / 2 * 2], b[i % 2], cut_off, racy);
            // The bug: the last future is not got.
            if !(racy && i == 3) {
                future.get();
            }
            // SAFETY: without the bug, the future is got.
            add(c, unsafe { other(i).as_slice() });
        }
    });
}

fn add(to: &mut [f64], from: &[f64]) {
    for i in 0..to.len() {
        to[i] += from[i]; // race: the other product may not be there, or be read too early
    }
}
