//! Three tasks read; the second is joined by the outer scope, the others by the inner one. What is
//! written between the ends of the two is in conflict with the second alone.

use std::hint::black_box;

use shared::Shared;

fn main() {
    let mut number = 0_u64;
    let word = Shared::new(&mut number);
    rayon::scope(|outer| {
        rayon::scope(|inner| {
            // SAFETY: `number` outlives the scopes; the conflict is what is tested.
            inner.spawn(move |_| drop(black_box(unsafe { *word.get() })));
            // SAFETY: as above.
            outer.spawn(move |_| drop(black_box(unsafe { *word.get() }))); //~ race 1
            // SAFETY: as above.
            black_box(unsafe { *word.get() });
        });
        // SAFETY: as above.
        unsafe { *word.get() = 1 } //~ race 1
    });
    assert_eq!(number, 1);
}
