//! An atomic that is only read in parallel, by loads and through a plain pointer.

use std::sync::atomic::{AtomicU64, Ordering};

use shared::Shared;

fn main() {
    let value = AtomicU64::new(7);
    let plain = Shared::from_raw(value.as_ptr());
    // SAFETY: nobody writes while the join runs.
    let (a, b) = rayon::join(|| value.load(Ordering::SeqCst), || unsafe { *plain.get() });
    value.store(a + b, Ordering::SeqCst);
    assert_eq!(value.into_inner(), 14);
}
