//! A 16-byte write conflicts with a read of its upper half.

use std::hint::black_box;

use shared::Shared;

fn main() {
    let mut wide = 0_u128;
    let whole = Shared::new(&mut wide);
    let half = Shared::from_raw(whole.get().cast::<u64>());
    rayon::join(
        || {
            // SAFETY: `wide` outlives the join; the conflict is what is tested.
            unsafe { *whole.get() = u128::MAX } //~ race 1
        },
        || {
            // SAFETY: as above.
            black_box(unsafe { *half.at(1) }); //~ race 1
        },
    );
    assert_eq!(wide, u128::MAX);
}
