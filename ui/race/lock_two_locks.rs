//! Both tasks hold a lock while they write, and not the same one.

use std::sync::Mutex;

use shared::Shared;

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    let (left, right) = (Mutex::new(()), Mutex::new(()));
    rayon::join(
        || {
            let _guard = left.lock().expect("nobody panics");
            // SAFETY: `x` outlives the join; the conflict is what is tested.
            unsafe { *place.get() = 1 } //~ race 1
        },
        || {
            let _guard = right.lock().expect("nobody panics");
            // SAFETY: as above.
            unsafe { *place.get() = 2 } //~ race 1
        },
    );
    assert!(x == 1 || x == 2);
}
