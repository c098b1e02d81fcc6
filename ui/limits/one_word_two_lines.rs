//! Two neighbouring fields of one word, written by one step at two lines: a word keeps the first line
//! of a step only. The second race is shown at that line, and the report says that the access was made
//! there or further on.
//@ inexact

use shared::Shared;

#[repr(C, align(8))]
struct Pair {
    left: u32,
    right: u32,
}

fn main() {
    let mut pair = Pair { left: 0, right: 0 };
    let place = Shared::new(&mut pair);
    rayon::join(
        || {
            // SAFETY: `pair` outlives the join; the conflict is what is tested.
            unsafe {
                (*place.get()).left = 1; //~ race 1, race 2
                (*place.get()).right = 2;
            }
        },
        || {
            // SAFETY: as above. The other way round, lest the order of lines decide.
            unsafe {
                (*place.get()).right = 3; //~ race 2
                (*place.get()).left = 4; //~ race 1
            }
        },
    );
    assert!(pair.left > 0 && pair.right > 0);
}
