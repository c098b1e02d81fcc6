//! A procedure reads what its child writes before it has synced. The grandchild is no trouble: the
//! child has synced before it returns, but the procedure itself has not.

use std::hint::black_box;

use rosser::procedure;
use shared::Shared;

fn main() {
    let (mut x, mut y) = (0_u64, 0_u64);
    let (at_x, at_y) = (Shared::new(&mut x), Shared::new(&mut y));
    procedure(|p| {
        p.spawn(|p| {
            p.spawn(|_| {
                // SAFETY: nobody touches it before the procedure has synced.
                unsafe { *at_y.get() = 2 }
            });
            // SAFETY: `x` outlives the procedure; the conflict is what is tested.
            unsafe { *at_x.get() = 1 } //~ race 1
        });
        // SAFETY: as above.
        black_box(unsafe { *at_x.get() }); //~ race 1
        p.sync();
        // SAFETY: the child has ended, and its own child before it.
        assert_eq!(unsafe { *at_x.get() + *at_y.get() }, 3);
    });
}
