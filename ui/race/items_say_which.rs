//! Two items of one leaf race: the report says which.

use rayon::prelude::*;
use shared::Shared;

fn main() {
    let mut values = vec![0_u64; 1000];
    let value = Shared::slice(&mut values);
    (0..1000_usize).into_par_iter().for_each(|item| {
        let place = if item == 17 { 18 } else { item };
        // SAFETY: the index is in bounds; the conflict is what is tested.
        unsafe { *value.at(place) += 1 } //~ race 1
    });
    assert_eq!(values[18], 2);
}
