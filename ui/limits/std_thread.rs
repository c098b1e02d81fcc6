//! Threads made by the program itself are no tasks: their conflicts are not looked for, and the
//! verdict says that there were such threads.
//@ threads-note

use std::thread;

use shared::Shared;

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    let write = move |value| {
        // SAFETY: `x` outlives the threads. This does race, and is not seen.
        unsafe { *place.get() = value }
    };
    thread::scope(|scope| {
        scope.spawn(move || write(1));
        scope.spawn(move || write(2));
    });
    assert!(x == 1 || x == 2);
    let (left, right) = rayon::join(|| 1, || 2);
    assert_eq!(left + right, 3);
}
