//! A scope whose tasks spawn each other in a chain of 1,000, and a long row of 10,000 tasks.
//@ whole

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::Scope;

static COUNT: AtomicU32 = AtomicU32::new(0);

fn chain(scope: &Scope<'_>, left: u32) {
    COUNT.fetch_add(1, Ordering::Relaxed);
    if left > 1 {
        scope.spawn(move |scope| chain(scope, left - 1));
    }
}

fn main() {
    rayon::scope(|scope| chain(scope, 1000));
    rayon::scope(|scope| {
        for _ in 0..10_000 {
            scope.spawn(|_| {
                COUNT.fetch_add(1, Ordering::Relaxed);
            });
        }
    });
    assert_eq!(COUNT.load(Ordering::Relaxed), 11_000);
}
