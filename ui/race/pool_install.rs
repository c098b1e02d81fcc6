//! A race inside a pool of the program's own making is a race like any other.

use rayon::ThreadPoolBuilder;
use shared::Shared;

fn main() {
    let pool = ThreadPoolBuilder::new().num_threads(2).build().expect("a pool of two");
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    let sum = pool.install(|| {
        let (a, b) = rayon::join(
            || {
                // SAFETY: `x` outlives the join; the conflict is what is tested.
                unsafe { *place.get() = 1 } //~ race 1
                1
            },
            || {
                // SAFETY: as above.
                unsafe { *place.get() = 2 } //~ race 1
                2
            },
        );
        a + b
    });
    assert_eq!(sum, 3);
    assert!(x == 1 || x == 2);
}
