//! Each item writes its own element and reads its left neighbour's: a race between every two
//! neighbours, although nobody writes an element twice.

use rayon::prelude::*;
use shared::Shared;

fn main() {
    let mut values = vec![1_u32; 16];
    let value = Shared::slice(&mut values);
    (1..16_usize).into_par_iter().for_each(|index| {
        // SAFETY: the indices are in bounds; the conflict is what is tested.
        unsafe { *value.at(index) += *value.at(index - 1) } //~ race 1
    });
    assert_eq!(values[0], 1);
}
