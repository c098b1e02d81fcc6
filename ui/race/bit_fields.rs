//! Two flags in one byte, each set by its own task: the tasks share no bit, and they do share the
//! byte, which each reads and writes back.

use shared::Shared;

fn main() {
    let mut flags = 0_u8;
    let byte = Shared::new(&mut flags);
    rayon::join(
        || {
            // SAFETY: `flags` outlives the join; the conflict is what is tested.
            unsafe { *byte.get() |= 1 } //~ race 1
        },
        || {
            // SAFETY: as above.
            unsafe { *byte.get() |= 2 } //~ race 1
        },
    );
    assert_ne!(flags, 0);
}
