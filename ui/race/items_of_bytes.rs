//! Items that share words: each writes bytes of its own, but for one that writes the byte of another.

use rayon::prelude::*;
use shared::Shared;

fn main() {
    let mut bytes = vec![0_u8; 4000];
    let byte = Shared::slice(&mut bytes);
    (0..4000_usize).into_par_iter().for_each(|item| {
        let place = if item == 2013 { 2010 } else { item };
        // SAFETY: the index is in bounds; the conflict is what is tested.
        unsafe { *byte.at(place) += 1 } //~ race 1
    });
    assert_eq!(bytes[2010], 2);

    let mut pairs = vec![0_u16; 4000];
    let pair = Shared::slice(&mut pairs);
    (0..3999_usize).into_par_iter().for_each(|item| {
        // SAFETY: as above.
        unsafe { *pair.at(item + usize::from(item % 100 == 0)) = 1 } //~ race 2
    });
    assert_eq!(pairs[1], 1);
}
