//! The calls of a `broadcast` are parallel to each other.

use rayon::ThreadPoolBuilder;
use shared::Shared;

fn main() {
    let pool = ThreadPoolBuilder::new().num_threads(4).build().expect("a pool of four");
    let mut x = 0_usize;
    let place = Shared::new(&mut x);
    pool.broadcast(|context| {
        // SAFETY: `x` outlives the broadcast; the conflict is what is tested.
        unsafe { *place.get() = context.index() } //~ race 1
    });
    assert!(x < 4);
}
