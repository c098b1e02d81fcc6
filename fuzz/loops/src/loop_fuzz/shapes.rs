//! The loops. What they compute is of no interest, but that they need all they read for it.

use std::hint::black_box;

use crate::array::{Account, Array, Element, Plain};

/// Random numbers that loops depend on.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    /// Where a loop begins, how far it goes, and how much further with each iteration.
    pub from: usize,
    pub to: usize,
    pub step: usize,
    /// Rows, and how long they are.
    pub rows: usize,
    pub columns: usize,
    /// Something to compare with elements, and a place.
    pub key: u64,
    pub place: usize,
}

/// A loop, over two arrays.
pub struct Shape<T> {
    pub name: &'static str,
    pub plain: fn(&mut Plain<T>, &mut Plain<T>, Numbers) -> u64,
    pub account: fn(&mut Account<T>, &mut Account<T>, Numbers) -> u64,
}

/// Shapes that are the same for plain memory and for accounts.
macro_rules! shapes {
    ($($name:ident($a:ident, $b:ident, $n:ident, $sum:ident) $body:block)*) => {
        $(
            #[inline(never)]
            fn $name<T: Element, A: Array<T>, B: Array<T>>(
                $a: &mut A,
                $b: &mut B,
                $n: Numbers,
            ) -> u64 {
                let mut $sum = T::from_number(0);
                $body
                $sum.to_number()
            }
        )*

        /// All of them.
        pub fn shapes<T: Element>() -> Vec<Shape<T>> {
            let mut all = vec![$(Shape {
                name: stringify!($name),
                plain: |a, b, n| $name(a, b, n),
                account: |a, b, n| $name(a, b, n),
            }),*];
            all.extend(crate::iterators::shapes());
            all
        }
    };
}

shapes! {
    reads(a, _b, n, sum) {
        for i in n.from..n.to {
            sum = sum.plus(a.get(i));
        }
    }
    writes(a, _b, n, sum) {
        for i in n.from..n.to {
            a.set(i, T::from_number(i as u64));
        }
        sum = sum.plus(T::from_number(1));
    }
    adds(a, b, n, sum) {
        for i in n.from..n.to {
            a.add(i, b.get(i));
        }
        sum = sum.plus(T::from_number(1));
    }
    copies_with_distance(a, b, n, sum) {
        for i in n.from..n.to {
            a.set(i + n.place, b.get(i));
        }
        sum = sum.plus(T::from_number(1));
    }
    reads_backwards(a, _b, n, sum) {
        for i in (n.from..n.to).rev() {
            sum = sum.plus(a.get(i));
        }
    }
    writes_backwards(a, b, n, sum) {
        for i in (n.from..n.to).rev() {
            a.set(i, b.get(n.to - 1 - i));
        }
        sum = sum.plus(T::from_number(1));
    }
    reads_every_second(a, _b, n, sum) {
        for i in (n.from..n.to).step_by(2) {
            sum = sum.plus(a.get(i));
        }
    }
    reads_with_steps(a, b, n, sum) {
        for i in (n.from..n.to).step_by(n.step) {
            sum = sum.plus(a.get(i));
            b.set(i, sum);
        }
    }
    reads_around(a, b, n, sum) {
        for i in n.from..n.to {
            a.set(i, b.get(i).plus(b.get(i + 1)).plus(b.get(i + 2)));
        }
        sum = sum.plus(T::from_number(1));
    }
    reads_with_gaps(a, b, n, sum) {
        for i in n.from..n.to {
            sum = sum.plus(a.get(3 * i)).plus(a.get(3 * i + 1));
            b.set(i, sum);
        }
    }
    reads_in_pairs(a, b, n, sum) {
        for i in n.from..n.to {
            sum = sum.plus(a.get(2 * i)).plus(a.get(2 * i + 1));
            b.set(i, sum);
        }
    }
    sums_up(a, _b, n, sum) {
        for i in n.from + 1..n.to {
            a.add(i, a.get(i - 1));
        }
        sum = sum.plus(T::from_number(1));
    }
    stops_at_a_key(a, b, n, sum) {
        for i in n.from..n.to {
            let value = a.get(i);
            if value == T::from_number(n.key) {
                break;
            }
            b.set(i, value);
            sum = sum.plus(value);
        }
    }
    returns_at_a_key(a, b, n, sum) {
        for i in n.from..n.to {
            if a.get(i) == T::from_number(n.key) {
                return i as u64;
            }
            if b.get(i) == T::from_number(n.key) {
                break;
            }
            sum = sum.plus(a.get(i));
        }
    }
    panics_at_a_key(a, b, n, sum) {
        for i in n.from..n.to {
            b.set(i, sum);
            assert!(a.get(i) != T::from_number(n.key));
            sum = sum.plus(a.get(i));
        }
    }
    writes_sometimes(a, b, n, sum) {
        for i in n.from..n.to {
            if b.get(i) > T::from_number(n.key) {
                a.set(i, T::from_number(i as u64));
            }
        }
        sum = sum.plus(T::from_number(1));
    }
    goes_on_sometimes(a, b, n, sum) {
        for i in n.from..n.to {
            if b.get(i) > T::from_number(n.key) {
                continue;
            }
            a.set(i, T::from_number(i as u64));
        }
        sum = sum.plus(T::from_number(1));
    }
    rows(a, b, n, sum) {
        for i in 0..n.rows {
            for j in 0..n.columns {
                a.add(i * n.columns + j, b.get(j));
            }
        }
        sum = sum.plus(T::from_number(1));
    }
    rows_of_eight(a, b, n, sum) {
        for i in 0..n.rows {
            for j in 0..8 {
                a.add(i * 8 + j, b.get(j));
            }
        }
        sum = sum.plus(T::from_number(1));
    }
    rows_with_margins(a, b, n, sum) {
        let width = n.columns + n.step;
        for i in 0..n.rows {
            for j in 0..n.columns {
                a.set(i * width + j, b.get(i * width + j));
            }
        }
        sum = sum.plus(T::from_number(1));
    }
    rows_backwards(a, b, n, sum) {
        for i in (0..n.rows).rev() {
            for j in 0..n.columns {
                a.set(i * n.columns + j, b.get(i));
            }
        }
        sum = sum.plus(T::from_number(1));
    }
    columns(a, b, n, sum) {
        for j in 0..n.columns {
            for i in 0..n.rows {
                a.add(i * n.columns + j, b.get(j));
            }
        }
        sum = sum.plus(T::from_number(1));
    }
    triangle(a, b, n, sum) {
        for i in 0..n.rows {
            for j in 0..i {
                a.add(i * n.columns + j, b.get(i));
            }
        }
        sum = sum.plus(T::from_number(1));
    }
    product(a, b, n, sum) {
        let m = n.rows;
        for i in 0..m {
            for k in 0..m {
                for j in 0..m {
                    a.add(i * m + j, b.get(i * m + k).plus(b.get(k * m + j)));
                }
            }
        }
        sum = sum.plus(T::from_number(1));
    }
    the_same_row_again(a, b, n, sum) {
        for i in n.from..n.to {
            for j in 0..n.columns {
                a.add(j, b.get(i));
            }
        }
        sum = sum.plus(T::from_number(1));
    }
    rows_up_to_a_key(a, b, n, sum) {
        'rows: for i in 0..n.rows {
            for j in 0..n.columns {
                if b.get(i * n.columns + j) == T::from_number(n.key) {
                    continue 'rows;
                }
                a.set(i * n.columns + j, sum);
            }
            sum = sum.plus(b.get(i));
        }
    }
    all_up_to_a_key(a, b, n, sum) {
        'rows: for i in 0..n.rows {
            for j in 0..n.columns {
                a.set(i * n.columns + j, sum);
                if b.get(i * n.columns + j) == T::from_number(n.key) {
                    break 'rows;
                }
            }
            sum = sum.plus(b.get(i));
        }
    }
    into_one(a, b, n, sum) {
        for i in n.from..n.to {
            a.add(n.place, b.get(i));
        }
        sum = sum.plus(T::from_number(1));
    }
    counts_down(a, b, n, sum) {
        let mut i = n.to;
        while i > n.from {
            i -= 1;
            a.set(i, b.get(i));
        }
        sum = sum.plus(T::from_number(1));
    }
    at_least_once(a, b, n, sum) {
        let mut i = n.from;
        loop {
            sum = sum.plus(b.get(i));
            a.set(i, sum);
            i += 1;
            if i >= n.to {
                break;
            }
        }
    }
    leaves_in_the_middle(a, b, n, sum) {
        let mut i = n.from;
        loop {
            sum = sum.plus(b.get(i));
            if i + 1 >= n.to {
                break;
            }
            a.set(i, sum);
            i += 1;
        }
    }
    doubles(a, b, n, sum) {
        let mut i = n.from + 1;
        while i < n.to {
            a.set(i, b.get(i));
            i *= 2;
        }
        sum = sum.plus(T::from_number(1));
    }
    wraps_at_256(a, b, n, sum) {
        let mut i = (n.from as u8).wrapping_sub(n.step as u8);
        for _ in n.from..n.to {
            a.add(usize::from(i), b.get(0));
            i = i.wrapping_add(1);
        }
        sum = sum.plus(T::from_number(1));
    }
    short_indices(a, b, n, sum) {
        for i in n.from as u32..n.to as u32 {
            a.set(i as usize, b.get(i.wrapping_mul(2) as usize));
        }
        sum = sum.plus(T::from_number(1));
    }
    indirect(a, b, n, sum) {
        for i in n.from..n.to {
            let at = b.get(i).to_number() as usize % a.len();
            a.set(at, sum);
        }
        sum = sum.plus(T::from_number(1));
    }
    tasks_in_between(a, b, n, sum) {
        for i in n.from..n.to {
            a.set(i, b.get(i));
            if i == n.place {
                rayon_core::join(|| (), || ());
            }
        }
        sum = sum.plus(T::from_number(1));
    }
    unknown_in_between(a, b, n, sum) {
        for i in n.from..n.to {
            a.set(i, black_box(b.get(i)));
            black_box(i);
        }
        sum = sum.plus(T::from_number(1));
    }
    blocks_in_between(a, b, n, sum) {
        for i in n.from..n.to {
            let block = black_box(vec![b.get(i); 3]);
            a.set(i, block[1]);
        }
        sum = sum.plus(T::from_number(1));
    }
    exchanges(a, _b, n, sum) {
        for i in n.from..n.to {
            let (x, y) = (a.get(i), a.get(n.to + n.from - 1 - i));
            a.set(i, y);
            a.set(n.to + n.from - 1 - i, x);
        }
        sum = sum.plus(T::from_number(1));
    }
    not_aligned(a, b, n, sum) {
        for i in n.from..n.to {
            b.set(i, a.get_at_byte(i * size_of::<T>() + n.place % 8));
        }
        sum = sum.plus(T::from_number(1));
    }
    slides_by_bytes(a, b, n, sum) {
        for i in n.from..n.to {
            b.set(i, a.get_at_byte(i));
        }
        sum = sum.plus(T::from_number(1));
    }
    two_after_each_other(a, b, n, sum) {
        for i in n.from..n.to {
            sum = sum.plus(a.get(i));
        }
        for i in 0..n.columns {
            b.set(i, sum);
        }
    }
    differently_often(a, b, n, sum) {
        for i in n.from..n.to {
            sum = sum.plus(a.get(i));
            if sum > T::from_number(n.key) {
                return i as u64;
            }
            b.set(i, sum);
        }
    }
}
