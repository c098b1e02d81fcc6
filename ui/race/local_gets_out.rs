//! Variables whose addresses get out of their function only after some accesses. Those before need no check; those after
//! do, whatever the way to them: on both branches, in the next turn of a loop, and if another variable has the address.

use std::hint::black_box;

use rosser::procedure;
use shared::Shared;

fn main() {
    // SAFETY: of all that is below, the variables outlive the tasks; the conflicts are what is tested.
    procedure(|p| {
        let mut local = black_box(1_u64);
        local += 1;
        let place = Shared::new(&mut local);
        p.spawn(move |_| assert_ne!(unsafe { *place.get() }, 4)); //~ race 1
        unsafe { *place.get() = 3 } //~ race 1
        p.sync();

        let mut turns = 0_u64;
        let place = Shared::new(&mut turns);
        for turn in 0..black_box(2) {
            unsafe { *place.get() = turn } //~ race 2
            p.spawn(move |_| assert_ne!(unsafe { *place.get() }, 4)); //~ race 2
        }
        p.sync();

        let mut chosen = 0_u64;
        let place = Shared::new(&mut chosen);
        unsafe { *place.get() = black_box(1) };
        if black_box(true) {
            p.spawn(move |_| assert_ne!(unsafe { *place.get() }, 4)); //~ race 3
        } else {
            unsafe { *place.get() = black_box(2) };
        }
        unsafe { *place.get() = 3 } //~ race 3
        p.sync();

        let mut behind = black_box(0_u64);
        let mut holder = Shared::new(&mut behind);
        let holder = Shared::new(&mut holder);
        p.spawn(move |_| unsafe { *(*holder.get()).get() = 1 }); //~ race 4
        behind += 1; //~ race 4
        p.sync();
        black_box(behind);
    });
}
