//! Known miss: in serial order the first task of a `par_bridge` takes all the items, so items are
//! not parallel to each other. That the tasks compete for them is found, the race between two
//! items is not, and the verdict says so.
//@ bridge-note

use rayon::prelude::*;
use shared::Shared;

fn main() {
    let mut last = 0_u32;
    let place = Shared::new(&mut last);
    let write = |item: u32| {
        // SAFETY: `last` outlives the loop. This does race, and is not seen.
        unsafe { *place.get() = item }
    };
    let bridge = [1_u32, 2, 3, 4].into_iter().par_bridge();
    bridge.for_each(write); //~ order 1
    assert!((1..=4).contains(&last));
}
