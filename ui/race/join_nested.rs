//! A closure two joins deep races with the other side of the outer join, while its own sibling
//! and cousin keep to themselves.

use shared::Shared;

fn main() {
    let mut cells = [0_u64; 3];
    let cell = Shared::slice(&mut cells);
    rayon::join(
        || {
            rayon::join(
                || {
                    // SAFETY: `cells` outlives the joins; only the last side touches this one too.
                    unsafe { *cell.at(0) = 1 } //~ race 1
                },
                || {
                    // SAFETY: nobody else touches this one.
                    unsafe { *cell.at(1) = 2 }
                },
            );
        },
        || {
            // SAFETY: as above; the conflict is what is tested.
            unsafe {
                *cell.at(0) = 3; //~ race 1
                *cell.at(2) = 3;
            }
        },
    );
    assert_eq!(cells[1..], [2, 3]);
}
