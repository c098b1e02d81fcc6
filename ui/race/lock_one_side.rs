//! One task takes the lock, the other forgets to: a lock protects only what all sides lock.

use std::sync::Mutex;

use shared::Shared;

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    let lock = Mutex::new(());
    rayon::join(
        || {
            let _guard = lock.lock().expect("nobody panics");
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
