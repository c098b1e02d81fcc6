//! Jin et al. 2023, Figure 8: the empty task that stands for a promise must stay out of the set of
//! the finish in which the promise was set. The write comes after `p3` is set, so that getting `p3`
//! orders nothing with it: all three reads are in a race.

use std::hint::black_box;

use rosser::{Promise, finish};
use shared::Shared;

fn main() {
    let mut number = 0_u64;
    let place = Shared::new(&mut number);
    let [p0, p1, p2, p3] = [(); 4].map(|()| Promise::new());
    finish(|s| {
        s.spawn(|s| {
            s.spawn(|_| {
                finish(|_| {
                    p2.set(());
                    p0.set(());
                    p3.set(());
                    // SAFETY: `number` outlives the finish; the conflicts are what is tested.
                    unsafe { *place.get() = 1 } //~ race 1, race 2, race 3
                });
                p1.set(());
                p1.get();
            });
            finish(|s| {
                // SAFETY: as above.
                black_box(unsafe { *place.get() }); //~ race 1
                s.spawn(|_| {
                    p3.get();
                    // SAFETY: as above.
                    black_box(unsafe { *place.get() }); //~ race 2
                });
            });
            p3.get();
        });
        // SAFETY: as above.
        black_box(unsafe { *place.get() }); //~ race 3
    });
    assert_eq!(number, 1);
}
