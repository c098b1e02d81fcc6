//! Known miss: the value of a future that nobody gets is dropped by whoever is the last to have it, its
//! task or the one that has started it, and what its destructor does is not looked at.

use std::hint::black_box;

use rosser::finish;
use shared::Shared;

struct Farewell(Shared<u64>);

impl Drop for Farewell {
    fn drop(&mut self) {
        // SAFETY: the variable outlives the finish; the conflict is what is tested.
        unsafe { *self.0.get() = 1 }
    }
}

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    finish(|s| {
        s.spawn(move |_| {
            // SAFETY: as above.
            black_box(unsafe { *place.get() });
        });
        drop(s.spawn_future(move |_| Farewell(place)));
    });
    assert_eq!(x, 1);
}
