//! Dense matrix multiplication by quartering: four products in parallel, then the other four on top of
//! them.

use rayon::join;

use crate::check::{Outcome, digest_floats};
use crate::random::Random;
use crate::shared::Shared;
use crate::size::Size;
use crate::tiled::{self, SIDE, TILE, multiply_add_tile, quarters, quarters_mut};

/// Multiplies two matrices.
pub fn run(size: Size, racy: bool) -> Outcome {
    let n = SIDE << size.pick(2, 6, 5);
    let mut random = Random::new(1);
    let (a, b) = (tiled::coarse(n, &mut random), tiled::coarse(n, &mut random));
    let mut c = vec![0.0; n * n];
    multiply_add(&mut c, &a, &b, racy);
    tiled::ensure_product(&a, &b, &c)?;
    Ok(digest_floats(&c))
}

/// Adds a product to `c`.
fn multiply_add(c: &mut [f64], a: &[f64], b: &[f64], racy: bool) {
    if c.len() == TILE {
        return multiply_add_tile(c, a, b);
    }
    let (a, b) = (quarters(a), quarters(b));
    if racy {
        let again = Shared::slice(c);
        join(
            || multiply_add_half(c, a, b, 0, racy),
            || {
                // SAFETY: there is none. The other half uses it, too.
                let c = unsafe { again.as_mut_slice() };
                multiply_add_half(c, a, b, 1, racy);
            },
        );
    } else {
        multiply_add_half(c, a, b, 0, racy);
        multiply_add_half(c, a, b, 1, racy);
    }
}

/// Adds the products with one half of the columns of `a` and the rows of `b`.
fn multiply_add_half(c: &mut [f64], a: [&[f64]; 4], b: [&[f64]; 4], half: usize, racy: bool) {
    let [c0, c1, c2, c3] = quarters_mut(c);
    let (upper, lower) = (a[half], a[2 + half]);
    let (left, right) = (b[2 * half], b[2 * half + 1]);
    join(
        || join(|| multiply_add(c0, upper, left, racy), || multiply_add(c1, upper, right, racy)),
        || join(|| multiply_add(c2, lower, left, racy), || multiply_add(c3, lower, right, racy)),
    );
}
