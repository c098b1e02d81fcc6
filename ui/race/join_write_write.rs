//! Both closures of a `join` write the same variable: whichever runs last wins.

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
    assert!(x == 1 || x == 2);
}
