//! Loops as Rust's iterators make them, and the same with indices.

use crate::array::{Account, Array, Element, Plain};
use crate::shapes::{Numbers, Shape};

#[inline(never)]
fn zip<T: Element>(a: &mut Plain<T>, b: &mut Plain<T>, n: Numbers) -> u64 {
    for (a, b) in a.0[n.from..].iter_mut().zip(&b.0[..n.to]) {
        *a = a.plus(*b);
    }
    0
}

fn zip_account<T: Element>(a: &mut Account<T>, b: &mut Account<T>, n: Numbers) -> u64 {
    assert!(n.from <= a.len() && n.to <= b.len());
    for i in 0..(a.len() - n.from).min(n.to) {
        a.add(n.from + i, b.get(i));
    }
    0
}

#[inline(never)]
fn chunks<T: Element>(a: &mut Plain<T>, b: &mut Plain<T>, n: Numbers) -> u64 {
    for (row, b) in a.0.chunks_exact_mut(n.columns).zip(&b.0[..n.rows]) {
        for a in row {
            *a = a.plus(*b);
        }
    }
    0
}

fn chunks_account<T: Element>(a: &mut Account<T>, b: &mut Account<T>, n: Numbers) -> u64 {
    assert!(n.columns > 0 && n.rows <= b.len());
    for i in 0..(a.len() / n.columns).min(n.rows) {
        for j in 0..n.columns {
            a.add(i * n.columns + j, b.get(i));
        }
    }
    0
}

#[inline(never)]
fn windows<T: Element>(a: &mut Plain<T>, b: &mut Plain<T>, n: Numbers) -> u64 {
    for (a, pair) in a.0.iter_mut().zip(b.0[n.from..].windows(2)) {
        *a = pair[0].plus(pair[1]);
    }
    0
}

fn windows_account<T: Element>(a: &mut Account<T>, b: &mut Account<T>, n: Numbers) -> u64 {
    assert!(n.from <= b.len());
    for i in 0..(b.len() - n.from).saturating_sub(1).min(a.len()) {
        a.set(i, b.get(n.from + i).plus(b.get(n.from + i + 1)));
    }
    0
}

#[inline(never)]
fn reversed<T: Element>(a: &mut Plain<T>, b: &mut Plain<T>, n: Numbers) -> u64 {
    for (a, b) in a.0.iter_mut().take(n.to).rev().step_by(n.step).zip(&b.0[n.from..]) {
        *a = *b;
    }
    0
}

fn reversed_account<T: Element>(a: &mut Account<T>, b: &mut Account<T>, n: Numbers) -> u64 {
    assert!(n.from <= b.len());
    let taken = (0..n.to.min(a.len())).rev().step_by(n.step);
    for (i, j) in taken.zip(n.from..b.len()) {
        a.set(i, b.get(j));
    }
    0
}

#[inline(never)]
fn product<T: Element>(a: &mut Plain<T>, b: &mut Plain<T>, n: Numbers) -> u64 {
    let m = n.rows;
    for (row, left) in a.0.chunks_exact_mut(m).zip(b.0[..m * m].chunks_exact(m)) {
        for (x, right) in left.iter().zip(b.0[..m * m].chunks_exact(m)) {
            for (a, y) in row.iter_mut().zip(right) {
                *a = a.plus(x.plus(*y));
            }
        }
    }
    0
}

fn product_account<T: Element>(a: &mut Account<T>, b: &mut Account<T>, n: Numbers) -> u64 {
    let m = n.rows;
    assert!(m > 0 && m * m <= b.len());
    for i in 0..m.min(a.len() / m) {
        for k in 0..m {
            for j in 0..m {
                a.add(i * m + j, b.get(i * m + k).plus(b.get(k * m + j)));
            }
        }
    }
    0
}

#[inline(never)]
fn square<T: Element>(a: &mut Plain<T>, b: &mut Plain<T>, n: Numbers) -> u64 {
    let a = a.0[n.from..].first_chunk_mut::<16>().expect("there are so many");
    let b = b.0[n.place..].first_chunk::<16>().expect("there are so many");
    for i in 0..4 {
        for j in 0..4 {
            a[4 * i + j] =
                (0..4).fold(a[4 * i + j], |sum, k| sum.plus(b[4 * i + k]).plus(b[4 * k + j]));
        }
    }
    0
}

fn square_account<T: Element>(a: &mut Account<T>, b: &mut Account<T>, n: Numbers) -> u64 {
    assert!(n.from + 16 <= a.len() && n.place + 16 <= b.len());
    for at in 0..16 {
        a.add(n.from + at, b.get(n.place + at));
    }
    0
}

#[inline(never)]
fn rows_of_squares<T: Element>(a: &mut Plain<T>, b: &mut Plain<T>, n: Numbers) -> u64 {
    for (a, b) in a.0[n.from..].as_chunks_mut::<20>().0.iter_mut().zip(b.0.as_chunks::<20>().0) {
        for i in 0..n.rows.min(4) {
            for j in 0..4 {
                a[4 * i + j] = b[4 * i + j].plus(b[16 + j]);
            }
        }
    }
    0
}

fn rows_of_squares_account<T: Element>(a: &mut Account<T>, b: &mut Account<T>, n: Numbers) -> u64 {
    assert!(n.from <= a.len());
    for square in 0..((a.len() - n.from) / 20).min(b.len() / 20) {
        for i in 0..n.rows.min(4) {
            for j in 0..4 {
                let sum = b.get(20 * square + 4 * i + j).plus(b.get(20 * square + 16 + j));
                a.set(n.from + 20 * square + 4 * i + j, sum);
            }
        }
    }
    0
}

/// All of them.
pub fn shapes<T: Element>() -> Vec<Shape<T>> {
    vec![
        Shape { name: "zip", plain: zip, account: zip_account },
        Shape { name: "chunks", plain: chunks, account: chunks_account },
        Shape { name: "windows", plain: windows, account: windows_account },
        Shape { name: "reversed", plain: reversed, account: reversed_account },
        Shape { name: "square", plain: square, account: square_account },
        Shape { name: "squares", plain: rows_of_squares, account: rows_of_squares_account },
        Shape { name: "product of rows", plain: product, account: product_account },
    ]
}
