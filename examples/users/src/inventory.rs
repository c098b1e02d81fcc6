//! A hash map of goods: made in parallel, changed in place, looked through.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::random::Random;
use crate::size::Size;
use crate::unsafe_slice::UnsafeSlice;

struct Good {
    price: u32,
    pieces: u32,
}

fn inventory(goods: u64) -> HashMap<u64, Good> {
    let good = |random: &mut Random| Good {
        price: 1 + random.below(500) as u32,
        pieces: random.below(50) as u32,
    };
    (0..goods).into_par_iter().map(|id| (id * 31, good(&mut Random::new(id)))).collect()
}

/// Sells a piece of everything, until nothing is left.
pub fn run(size: Size) -> u64 {
    let mut inventory = inventory(size.pick(500, 300_000));
    let worth = |inventory: &HashMap<u64, Good>| -> u64 {
        inventory.par_iter().map(|(_, good)| u64::from(good.price * good.pieces)).sum()
    };
    let before = worth(&inventory);
    let mut sold = 0;
    loop {
        inventory.par_iter_mut().for_each(|(_, good)| good.pieces = good.pieces.saturating_sub(1));
        sold += 1;
        if inventory.par_iter().all(|(_, good)| good.pieces == 0) {
            break;
        }
    }
    assert_eq!(worth(&inventory), 0);
    assert_eq!(sold, 49);
    before
}

/// The mistake: what is earned is added up in one place.
pub fn racy(size: Size) -> u64 {
    let mut inventory = inventory(size.pick(500, 300_000));
    let mut earned = 0_u32;
    let shared = UnsafeSlice::new(std::slice::from_mut(&mut earned));
    inventory.par_iter_mut().for_each(|(_, good)| {
        if good.pieces > 0 {
            good.pieces -= 1;
            // SAFETY: none, that is the mistake.
            unsafe { *shared.get(0) += good.price } // race: all add to it
        }
    });
    u64::from(earned)
}
