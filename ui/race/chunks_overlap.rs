//! Hand-made chunks of four elements that begin every three: neighbours share one element.

use rayon::prelude::*;
use shared::Shared;

fn main() {
    let mut values = vec![0_u16; 16];
    let value = Shared::slice(&mut values);
    (0..5_usize).into_par_iter().for_each(|chunk| {
        for index in chunk * 3..chunk * 3 + 4 {
            // SAFETY: the last index is 15; the conflict is what is tested.
            unsafe { *value.at(index) += 1 } //~ race 1
        }
    });
    assert_eq!(values[1], 1);
}
