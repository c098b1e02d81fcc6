//! Items of a parallel iterator are parallel to each other, however few there are and however the
//! iterator is split: a shared sum without protection is a race.

use rayon::prelude::*;
use shared::Shared;

fn main() {
    let mut sum = 0_u64;
    let total = Shared::new(&mut sum);
    (1..=16_u64).into_par_iter().for_each(|item| {
        // SAFETY: `sum` outlives the loop; the conflict is what is tested.
        unsafe { *total.get() += item } //~ race 1
    });
    assert!((1..=136).contains(&sum));
}
