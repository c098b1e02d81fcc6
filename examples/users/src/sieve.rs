//! The sieve of Eratosthenes over `bool`, in parts.

use rayon::prelude::*;

use crate::size::Size;
use crate::unsafe_slice::UnsafeSlice;

/// Counts primes, of which is known how many there are.
pub fn run(size: Size) -> u64 {
    let (n, part, expected) = size.pick((10_000, 1_000, 1_229), (20_000_000, 50_000, 1_270_607));
    let small = small_primes(n);
    let mut is_prime = vec![true; n];
    is_prime[..2].fill(false);
    is_prime.par_chunks_mut(part).enumerate().for_each(|(at, flags)| {
        let start = at * part;
        for &prime in &small {
            let first = (prime * prime).max(start.next_multiple_of(prime));
            for multiple in (first..start + flags.len()).step_by(prime) {
                flags[multiple - start] = false;
            }
        }
    });
    let primes = is_prime.par_iter().filter(|&&is_prime| is_prime).count();
    assert_eq!(primes, expected);
    primes as u64
}

/// The mistake: primes strike their multiples out at the same time, "all of them write the same".
pub fn racy(size: Size) -> u64 {
    let n = size.pick(10_000, 2_000_000);
    let mut is_prime = vec![true; n];
    is_prime[..2].fill(false);
    let shared = UnsafeSlice::new(&mut is_prime);
    small_primes(n).par_iter().for_each(|&prime| {
        for multiple in (prime * prime..n).step_by(prime) {
            // SAFETY: none, that is the mistake.
            unsafe { *shared.get(multiple) = false } // race: it is a multiple of others as well
        }
    });
    is_prime.iter().filter(|&&is_prime| is_prime).count() as u64
}

/// The primes up to the root.
fn small_primes(n: usize) -> Vec<usize> {
    let is_prime = |&number: &usize| (2..=number.isqrt()).all(|divisor| number % divisor != 0);
    (2..=n.isqrt()).filter(is_prime).collect()
}
