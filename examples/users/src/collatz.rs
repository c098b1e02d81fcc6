//! The number whose Collatz sequence is longest.

use rayon::prelude::*;

use crate::size::Size;
use crate::unsafe_slice::UnsafeSlice;

/// Finds it; which one it is, is known.
pub fn run(size: Size) -> u64 {
    let (n, expected) = size.pick((1_000, 871), (1_000_000, 837_799));
    let longest = (1..n).into_par_iter().max_by_key(|&number| (steps(number), u64::MAX - number));
    assert_eq!(longest, Some(expected));
    expected
}

fn steps(mut number: u64) -> u32 {
    let mut steps = 0;
    while number != 1 {
        number = if number.is_multiple_of(2) { number / 2 } else { 3 * number + 1 };
        steps += 1;
    }
    steps
}

/// The mistake: lengths are remembered in a table that all read and write.
pub fn racy(size: Size) -> u64 {
    let n = size.pick(1_000, 300_000);
    let mut table = vec![0_u16; n as usize];
    let known = UnsafeSlice::new(&mut table);
    (1..n).into_par_iter().for_each(|number: u64| {
        let (mut current, mut steps) = (number, 0_u16);
        while current != 1 {
            // SAFETY: none, that is the mistake.
            let rest = if current < n { unsafe { *known.get(current as usize) } } else { 0 }; // race: it may be there
            if rest != 0 {
                steps += rest;
                break;
            }
            current = if current.is_multiple_of(2) { current / 2 } else { 3 * current + 1 };
            steps += 1;
        }
        // SAFETY: none, as above.
        unsafe { *known.get(number as usize) = steps } // race: others look it up
    });
    table.iter().map(|&steps| u64::from(steps)).max().unwrap_or_default()
}
