//! A race between tasks is found although a thread of the program runs beside them; the thread
//! itself is named as unchecked.
//@ threads-note

use std::thread;

use shared::Shared;

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    let other = thread::spawn(|| (0..1000_u64).sum::<u64>());
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
    assert_eq!(other.join().expect("it does not panic"), 499_500);
    assert!(x == 1 || x == 2);
}
