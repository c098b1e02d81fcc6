//! A closure of a `join` panics after a write. The other closure runs all the same, so the two
//! race.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use shared::Shared;

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        rayon::join(
            || {
                // SAFETY: `x` outlives the join; the conflict is what is tested.
                unsafe { *place.get() = 1 } //~ race 1
                resume_unwind(Box::new("the first closure gives up"));
            },
            || {
                // SAFETY: as above.
                unsafe { *place.get() = 2 } //~ race 1
            },
        )
    }));
    assert!(outcome.is_err());
    // The join has ended, however it ended: this write is ordered after both.
    x = 3;
    assert_eq!(x, 3);
}
