//! Feng and Leiserson 1997, Figure 10: a procedure is a sequence of sync blocks. Inside a block
//! F1's write races with the reads in its parent and in F2; across the sync everything is in
//! series.

use std::hint::black_box;

use rosser::procedure;
use shared::Shared;

fn main() {
    let (mut first, mut second) = (0_u64, 0_u64);
    let (a, b) = (Shared::new(&mut first), Shared::new(&mut second));
    // SAFETY: of this block: the variables outlive the procedure; the conflicts are what is tested.
    procedure(|p| unsafe {
        *a.get() = 1;
        p.spawn(move |_| {
            *a.get() += 1; //~ race 1, race 2
        });
        black_box(*a.get()); //~ race 1
        p.spawn(move |_| {
            let read = *a.get(); //~ race 2
            *b.get() = read;
        });
        p.sync();
        black_box(*a.get() + *b.get());
        p.spawn(move |_| *a.get() = 7);
        p.spawn(move |_| *b.get() = 8);
        p.sync();
        assert_eq!(*a.get() + *b.get(), 15);
    });
}
