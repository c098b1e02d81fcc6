//! An addition of zero whose result nobody wants becomes a bitwise or in the compiler's hands,
//! before the checker sees it. That does not commute with additions: a false alarm.

use std::sync::atomic::{AtomicU32, Ordering};

fn main() {
    let sum = AtomicU32::new(0);
    rayon::join(
        || {
            sum.fetch_add(0, Ordering::Relaxed); //~ order 1
        },
        || {
            sum.fetch_add(1, Ordering::Relaxed); //~ order 1
        },
    );
    assert_eq!(sum.into_inner(), 1);
}
