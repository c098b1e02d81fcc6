//! Only the first and the last of 64 items touch the same element: the finest split is needed to
//! see it whatever leaves a scheduler would make.

use rayon::prelude::*;
use shared::Shared;

fn main() {
    let mut values = vec![0_usize; 63];
    let value = Shared::slice(&mut values);
    (0..64_usize).into_par_iter().for_each(|item| {
        // SAFETY: the index is in bounds; the conflict is what is tested.
        unsafe { *value.at(item % 63) = item } //~ race 1
    });
    assert!(values[0] == 0 || values[0] == 63);
    assert_eq!(values[62], 62);
}
