//! A shared future that fills a cell for two tasks, of which one forgets to get it.

use std::hint::black_box;

use rosser::finish;
use shared::Shared;

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    finish(|s| {
        let filled = s.spawn_future(|_| {
            // SAFETY: `x` outlives the finish; the conflict is what is tested.
            unsafe { *place.get() = 1 } //~ race 1
        });
        let filled = filled.share();
        s.spawn(move |_| {
            filled.get();
            // SAFETY: the future is through with it.
            assert_eq!(unsafe { *place.get() }, 1);
        });
        s.spawn(|_| {
            // SAFETY: as for the write.
            black_box(unsafe { *place.get() }); //~ race 1
        });
    });
}
