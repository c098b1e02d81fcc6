//! A `static mut` counter incremented by every task of a scope: all conflicts are at one line.

static mut COUNTER: u64 = 0;

fn main() {
    rayon::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|_| {
                // SAFETY: not safe at all; the conflict is what is tested.
                unsafe { COUNTER += 1 } //~ race 1
            });
        }
    });
    // SAFETY: every task has ended.
    let counter = unsafe { COUNTER };
    assert!((1..=4).contains(&counter));
}
