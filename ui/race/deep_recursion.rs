//! A join inside a join, 100,000 deep on one side. The innermost closure races with the second
//! closure of the outermost join.
//@ whole

use rayon::ThreadPoolBuilder;
use shared::Shared;

const DEPTH: u32 = 100_000;

fn descend(depth: u32, place: Shared<u32>) -> u32 {
    if depth == 0 {
        // SAFETY: the variable outlives all joins; the conflict is what is tested.
        unsafe { *place.get() = 1 } //~ race 1
        return 0;
    }
    let (below, here) = rayon::join(|| descend(depth - 1, place), || 1);
    below + here
}

fn main() {
    let pool = ThreadPoolBuilder::new()
        .num_threads(1)
        .stack_size(2 << 30)
        .build()
        .expect("a pool with a deep stack");
    let mut x = 0;
    let place = Shared::new(&mut x);
    let (depth, ()) = pool.install(|| {
        rayon::join(
            || descend(DEPTH, place),
            || {
                // SAFETY: as above.
                unsafe { *place.get() = 2 } //~ race 1
            },
        )
    });
    assert_eq!(depth, DEPTH);
    assert!(x == 1 || x == 2);
}
