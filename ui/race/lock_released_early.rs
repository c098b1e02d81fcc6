//! The first task writes after it has released the lock, so the second task's locking orders
//! nothing.

use std::sync::Mutex;

use shared::Shared;

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    let lock = Mutex::new(());
    rayon::join(
        || {
            drop(lock.lock().expect("nobody panics"));
            // SAFETY: `x` outlives the join; the conflict is what is tested.
            unsafe { *place.get() = 1 } //~ race 1
        },
        || {
            let _guard = lock.lock().expect("nobody panics");
            // SAFETY: as above.
            unsafe { *place.get() = 2 } //~ race 1
        },
    );
    assert!(x == 1 || x == 2);
}
