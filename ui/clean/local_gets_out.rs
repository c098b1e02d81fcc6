//! Variables that are accessed before their addresses get out of their function, and again when all tasks that have them
//! are over.

use std::hint::black_box;

use rosser::procedure;
use shared::Shared;

fn main() {
    // SAFETY: of all that is below, the variables outlive the tasks, and are accessed by one at a time.
    procedure(|p| {
        let mut local = black_box(1_u64);
        for turn in 0..black_box(3) {
            local += turn;
            let place = Shared::new(&mut local);
            p.spawn(move |_| unsafe { *place.get() += 1 });
            p.sync();
            local += 1;
        }
        assert_eq!(local, 10);

        let mut row = [black_box(1_u8); 8];
        row[2] = 7;
        let place = Shared::slice(&mut row);
        for i in 0..8 {
            p.spawn(move |_| unsafe { *place.at(i) += 1 });
        }
        p.sync();
        assert_eq!(row, [2, 2, 8, 2, 2, 2, 2, 2]);
    });
}
