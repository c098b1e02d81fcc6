//! A vector of three floats is copied in one task while another writes its last component. The
//! neighbouring vectors, which share words with it, take no part.

use std::hint::black_box;

use shared::Shared;

#[derive(Clone, Copy)]
struct Vector([f32; 3]);

fn main() {
    let mut vectors = [Vector([1.0, 2.0, 3.0]); 4];
    let vector = Shared::slice(&mut vectors);
    rayon::join(
        || {
            // SAFETY: `vectors` outlives the join; the conflict is what is tested.
            black_box(unsafe { *vector.at(1) }); //~ race 1
        },
        || {
            // SAFETY: as above. The first and the last vector are this task's alone.
            unsafe {
                (*vector.at(0)).0 = [5.0; 3];
                (*vector.at(1)).0[2] = 5.0; //~ race 1
                (*vector.at(2)).0 = [5.0; 3];
            }
        },
    );
    assert!(vectors.iter().take(3).all(|vector| vector.0[2] > 4.0));
}
