//! Two tasks run parallel loops, and items of both wait in turn: each goes on with its own loop, in which two items race.

use rayon::prelude::*;
use rosser::{Promise, finish};
use shared::Shared;

fn main() {
    let (mut x, mut y) = (0_u64, 0_u64);
    let (at_x, at_y) = (Shared::new(&mut x), Shared::new(&mut y));
    let (first, second) = (Promise::new(), Promise::new());
    finish(|s| {
        let (first, second) = (&first, &second);
        s.spawn(move |_| {
            let counted = (0..40_u64).into_par_iter().fold(
                || vec![0_u64; 2],
                |mut carried, item| {
                    if item == 12 {
                        first.get();
                    }
                    if item == 13 || item == 14 {
                        // SAFETY: `x` outlives the finish; the conflict is what is tested.
                        unsafe { *at_x.get() += 1 } //~ race 1
                    }
                    carried[0] += 1;
                    carried
                },
            );
            assert_eq!(counted.map(|carried| carried[0]).sum::<u64>(), 40);
        });
        s.spawn(move |_| {
            (0..40_u64).into_par_iter().for_each(|item| {
                if item == 20 {
                    first.set(());
                    second.get();
                }
                if item == 21 || item == 22 {
                    // SAFETY: as above.
                    unsafe { *at_y.get() += 1 } //~ race 2
                }
            });
        });
        second.set(());
    });
    assert_eq!((x, y), (2, 2));
}
