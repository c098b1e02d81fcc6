//! `DataRaceBench` DRB027, taskdependmissing: two tasks without depend clauses write one variable.

use rosser::finish;
use shared::Shared;

fn main() {
    let mut i = 0_u64;
    let place = Shared::new(&mut i);
    finish(|s| {
        s.spawn(|_| {
            // SAFETY: `i` outlives the finish; the conflict is what is tested.
            unsafe { *place.get() = 1 } //~ race 1
        });
        s.spawn(|_| {
            // SAFETY: as above.
            unsafe { *place.get() = 2 } //~ race 1
        });
    });
    assert!(i == 1 || i == 2);
}
