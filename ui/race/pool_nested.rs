//! Tasks of two pools, one installed from within a task of the other, are still parallel.

use rayon::ThreadPoolBuilder;
use shared::Shared;

fn main() {
    let outer = ThreadPoolBuilder::new().num_threads(2).build().expect("a pool of two");
    let inner = ThreadPoolBuilder::new().num_threads(2).build().expect("a pool of two");
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    outer.scope(|scope| {
        scope.spawn(|_| {
            inner.install(|| {
                // SAFETY: `x` outlives the scope; the conflict is what is tested.
                unsafe { *place.get() = 1 } //~ race 1
            });
        });
        // SAFETY: as above.
        unsafe { *place.get() = 2 } //~ race 1
    });
    assert!(x == 1 || x == 2);
}
