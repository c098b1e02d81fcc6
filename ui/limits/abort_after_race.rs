//! The program aborts after a race: what was found until then is reported. From inside an abort cannot
//! be seen, so the report says no more than that the program was killed.
//@ killed

use shared::Shared;

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    rayon::join(
        || {
            // SAFETY: `x` outlives the join; the conflict is what is tested.
            unsafe { *place.get() = 1 } //~ race 1
        },
        || {
            // SAFETY: as above.
            unsafe { *place.get() = 2 } //~ race 1
        },
    );
    std::process::abort();
}
