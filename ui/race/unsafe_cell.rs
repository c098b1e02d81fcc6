//! A type that promises `Sync` over an `UnsafeCell` and does not keep it.

use std::cell::UnsafeCell;

struct Counter(UnsafeCell<u32>);

// SAFETY: a broken promise; the conflict is what is tested.
unsafe impl Sync for Counter {}

impl Counter {
    fn add(&self, amount: u32) {
        // SAFETY: as above.
        unsafe { *self.0.get() += amount } //~ race 1
    }
}

fn main() {
    let counter = Counter(UnsafeCell::new(0));
    rayon::join(|| counter.add(1), || counter.add(2));
    assert!((1..=3).contains(&counter.0.into_inner()));
}
