//! First in, first out is an order of starting, not of finishing: tasks of a `scope_fifo` are
//! parallel.

use shared::Shared;

fn main() {
    let mut x = 0_u8;
    let place = Shared::new(&mut x);
    rayon::scope_fifo(|scope| {
        scope.spawn_fifo(move |_| {
            // SAFETY: `x` outlives the scope; the conflict is what is tested.
            unsafe { *place.get() = 1 } //~ race 1
        });
        scope.spawn_fifo(move |_| {
            // SAFETY: as above.
            unsafe { *place.get() = 2 } //~ race 1
        });
    });
    assert!(x == 1 || x == 2);
}
