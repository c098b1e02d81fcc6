//! Two neighbouring fields of one word, each written by both tasks at a line of its own: the lines
//! must not be mixed up although the fields share a word.

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
                (*place.get()).left = 1; //~ race 1
                (*place.get()).right = 2; //~ race 2
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
