//! A task of a scope panics. The scope still waits for all its tasks before it lets the panic
//! through, and they race with each other.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use shared::Shared;

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        rayon::scope(|scope| {
            scope.spawn(move |_| {
                // SAFETY: `x` outlives the scope; the conflict is what is tested.
                unsafe { *place.get() = 1 } //~ race 1
                resume_unwind(Box::new("the first task gives up"));
            });
            scope.spawn(move |_| {
                // SAFETY: as above.
                unsafe { *place.get() = 2 } //~ race 1
            });
        });
    }));
    assert!(outcome.is_err());
    x = 3;
    assert_eq!(x, 3);
}
