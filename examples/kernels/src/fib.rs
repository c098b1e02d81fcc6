//! Fibonacci numbers by their definition: hardly anything but tasks.

use rayon::join;

use crate::size::Size;

/// Below this, calls are plain.
const CUT_OFF: u32 = 12;

/// Computes one and checks it with a loop.
pub fn run(size: Size) -> u64 {
    let n = size.pick(16, 39);
    let value = fib(n);
    let (looped, _) = (0..n).fold((0, 1), |(a, b), _| (b, a + b));
    assert_eq!(value, looped);
    value
}

fn fib(n: u32) -> u64 {
    if n < CUT_OFF {
        return fib_plain(n);
    }
    let (a, b) = join(|| fib(n - 1), || fib(n - 2));
    a + b
}

fn fib_plain(n: u32) -> u64 {
    if n < 2 { u64::from(n) } else { fib_plain(n - 1) + fib_plain(n - 2) }
}
