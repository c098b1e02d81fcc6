//! The locks of `parking_lot` order as those of std do: what they protect is order-dependent, and
//! their own words are nobody's business.

use std::hint::black_box;

use parking_lot::{Mutex, RwLock};
use rayon::prelude::*;

fn main() {
    let items = Mutex::new(Vec::new());
    (0..8_u32).into_par_iter().for_each(|item| {
        items.lock().push(item); //~ order 1
    });
    assert_eq!(items.into_inner().len(), 8);

    let value = RwLock::new(1_u64);
    rayon::join(
        || {
            *value.write() = 2; //~ order 2
        },
        || black_box(*value.read()), //~ order 2
    );
    assert_eq!(value.into_inner(), 2);
}
