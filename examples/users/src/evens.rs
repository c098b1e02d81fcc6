//! Splits 16-bit numbers into even and odd ones.

use rayon::prelude::*;

use crate::random::Random;
use crate::size::Size;
use crate::unsafe_slice::UnsafeSlice;

/// Splits them several times, and checks that none is lost.
pub fn run(size: Size) -> u64 {
    let rounds = size.pick(2, 10);
    let numbers = numbers(size);
    let mut evens = 0;
    for _ in 0..rounds {
        let (even, odd): (Vec<u16>, Vec<u16>) =
            numbers.par_iter().partition(|&&number| number % 2 == 0);
        assert_eq!(even.len() + odd.len(), numbers.len());
        assert!(odd.par_iter().all(|number| number % 2 == 1));
        evens += even.len() as u64;
    }
    evens
}

/// The mistake: even numbers go to the next free place, and all take it from the same variable.
pub fn racy(size: Size) -> u64 {
    let numbers = numbers(size);
    let mut even = vec![0_u16; numbers.len()];
    let mut next = 0_usize;
    let places = UnsafeSlice::new(&mut even);
    let shared = UnsafeSlice::new(std::slice::from_mut(&mut next));
    numbers.par_iter().filter(|&&number| number % 2 == 0).for_each(|&number| {
        // SAFETY: none, that is the mistake.
        unsafe {
            let place = *shared.get(0); // race: others take a place, too
            *shared.get(0) = place + 1; // race: as above
            *places.get(place) = number; // race: if two have got one place
        }
    });
    next as u64
}

fn numbers(size: Size) -> Vec<u16> {
    let mut random = Random::new(25);
    (0..size.pick(10_000, 1_000_000)).map(|_| random.next() as u16).collect()
}
