//! Strassen's multiplication of matrices. Each of the seven products is a task that sets a promise;
//! each quarter of the result is a task that gets those it needs.

use rosser::{Promise, finish};

use crate::check::{Outcome, digest_floats};
use crate::random::Random;
use crate::shared::Shared;
use crate::size::Size;
use crate::tiled::{self, SIDE, multiply_add_serially, quarters, quarters_mut, rows};

/// A sum of quarters: which ones, and their signs.
type Terms = &'static [(usize, f64)];

/// The factors of the products, as sums of quarters of the two matrices.
const PRODUCTS: [[Terms; 2]; 7] = [
    [&[(0, 1.0), (3, 1.0)], &[(0, 1.0), (3, 1.0)]],
    [&[(2, 1.0), (3, 1.0)], &[(0, 1.0)]],
    [&[(0, 1.0)], &[(1, 1.0), (3, -1.0)]],
    [&[(3, 1.0)], &[(2, 1.0), (0, -1.0)]],
    [&[(0, 1.0), (1, 1.0)], &[(3, 1.0)]],
    [&[(2, 1.0), (0, -1.0)], &[(0, 1.0), (1, 1.0)]],
    [&[(1, 1.0), (3, -1.0)], &[(2, 1.0), (3, 1.0)]],
];

/// The quarters of the result, as sums of products.
const QUARTERS: [Terms; 4] = [
    &[(0, 1.0), (3, 1.0), (4, -1.0), (6, 1.0)],
    &[(2, 1.0), (4, 1.0)],
    &[(1, 1.0), (3, 1.0)],
    &[(0, 1.0), (1, -1.0), (2, 1.0), (5, 1.0)],
];

/// Multiplies two matrices.
pub fn run(size: Size, racy: bool) -> Outcome {
    let n = SIDE << size.pick(2, 6, 7);
    let cut_off = size.pick(16, 64, 64);
    let mut random = Random::new(21);
    let (a, b) = (tiled::coarse(n, &mut random), tiled::coarse(n, &mut random));
    let mut c = vec![0.0; n * n];
    multiply(&mut c, &a, &b, cut_off, racy);
    tiled::ensure_product(&a, &b, &c)?;
    Ok(digest_floats(&c))
}

/// Puts the product into `c`, which is zero.
fn multiply(c: &mut [f64], a: &[f64], b: &[f64], cut_off: usize, racy: bool) {
    if rows(c) <= cut_off {
        return multiply_add_serially(c, a, b);
    }
    let len = c.len() / 4;
    let mut products = vec![0.0; 7 * len];
    let products = Shared::slice(&mut products);
    let product = |i: usize| products.part(i * len..(i + 1) * len);
    let done: [Promise<()>; 7] = [(); 7].map(|()| Promise::new());
    let done = &done;
    finish(|s| {
        for (i, [left, right]) in PRODUCTS.into_iter().enumerate() {
            s.spawn(move |_| {
                let (left, right) = (sum(left, quarters(a)), sum(right, quarters(b)));
                // SAFETY: without the bug, nobody uses it before the promise is set.
                let to = unsafe { product(i).as_mut_slice() };
                multiply(to, &left, &right, cut_off, racy);
                done[i].set(());
            });
        }
        for (to, terms) in quarters_mut(c).into_iter().zip(QUARTERS) {
            s.spawn(move |_| {
                for &(i, sign) in terms {
                    // The bug: the sixth product is not waited for.
                    if !(racy && i == 5) {
                        done[i].get();
                    }
                    // SAFETY: without the bug, the product is done.
                    add(to, unsafe { product(i).as_slice() }, sign);
                }
            });
        }
    });
}

fn sum(terms: Terms, quarters: [&[f64]; 4]) -> Vec<f64> {
    let mut sum = vec![0.0; quarters[0].len()];
    for &(i, sign) in terms {
        add(&mut sum, quarters[i], sign);
    }
    sum
}

fn add(to: &mut [f64], from: &[f64], sign: f64) {
    for i in 0..to.len() {
        to[i] += sign * from[i]; // race: the product may not be done, or be read too early
    }
}
