//! A panic that crossed several joins leaves the checker in order: the race in the next region is
//! found, and nothing else.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use shared::Shared;

fn give_up(depth: u32) {
    if depth == 0 {
        resume_unwind(Box::new("at the bottom"));
    }
    rayon::join(|| give_up(depth - 1), || ());
}

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    // SAFETY: `x` is alive and no task has begun.
    unsafe { *place.get() = 1 }
    let outcome = catch_unwind(AssertUnwindSafe(|| give_up(5)));
    assert!(outcome.is_err());
    rayon::join(
        || {
            // SAFETY: `x` outlives the join; the conflict is what is tested.
            unsafe { *place.get() = 2 } //~ race 1
        },
        || {
            // SAFETY: as above.
            unsafe { *place.get() = 3 } //~ race 1
        },
    );
    assert!(x == 2 || x == 3);
}
