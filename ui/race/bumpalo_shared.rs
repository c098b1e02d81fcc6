//! A value in an arena is written by two tasks.

use bumpalo::Bump;
use shared::Shared;

fn main() {
    let arena = Bump::new();
    let before: &mut u64 = arena.alloc(1);
    let value = Shared::new(arena.alloc(2_u64));
    rayon::join(
        || {
            // SAFETY: the arena outlives the tasks; the conflict is what is tested.
            unsafe { *value.get() += 1 } //~ race 1
        },
        || {
            *before += 1;
            // SAFETY: as above.
            unsafe { *value.get() *= 2 } //~ race 1
        },
    );
    assert_eq!(*before, 2);
}
