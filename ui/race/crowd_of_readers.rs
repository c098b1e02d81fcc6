//! Of a crowd of parallel readers two are remembered, which stand for later ones: but not for one that comes
//! after them, nor for one that somebody parallel has written for.

use rayon::prelude::*;
use shared::Shared;

fn main() {
    let mut cells = [1_u64; 4];
    let cell = Shared::slice(&mut cells);
    let read = |index: usize| {
        // SAFETY of all blocks: the cells outlive the tasks; the conflicts are what is tested.
        std::hint::black_box(unsafe { *cell.at(index) });
    };
    rayon::scope(|scope| {
        scope.spawn(move |_| read(3));
        scope.spawn(move |_| {
            rayon::scope(|inner| {
                (0..4).for_each(|_| inner.spawn(move |_| read(0)));
                read(0);
            });
            rayon::scope(|inner| {
                inner.spawn(move |_| {
                    // SAFETY: see above. All of the crowd have ended, and do not stand for it.
                    std::hint::black_box(unsafe { *cell.at(0) }); //~ race 1
                });
                // SAFETY: see above.
                unsafe { *cell.at(0) = 2 } //~ race 1
            });
        });
    });
    rayon::scope(|scope| {
        scope.spawn(move |_| {
            // SAFETY: see above.
            unsafe { *cell.at(1) = 2 } //~ race 2
            rayon::scope(|inner| (0..4).for_each(|_| inner.spawn(move |_| read(1))));
        });
        // SAFETY: see above. The crowd came after the write, and this does not.
        std::hint::black_box(unsafe { *cell.at(1) }); //~ race 2
    });
    (0..1000).into_par_iter().for_each(|item| {
        if item == 700 {
            // SAFETY: see above.
            unsafe { *cell.at(2) = 2 } //~ race 3
        } else {
            // SAFETY: see above.
            std::hint::black_box(unsafe { *cell.at(2) }); //~ race 3
        }
    });
    assert_eq!(cells, [2, 2, 2, 1]);
}
