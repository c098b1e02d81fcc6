//! Sibling tasks run at the same place of one stack when they run one after the other: their
//! locals have the same addresses and are not the same variables.

use std::hint::black_box;

fn work(seed: u32) -> u32 {
    let mut local = [seed; 64];
    for value in black_box(&mut local) {
        *value += 1;
    }
    local.iter().sum()
}

fn main() {
    let (left, right) = rayon::join(|| work(1), || work(2));
    assert_eq!((left, right), (128, 192));
    let mut sums = [0; 4];
    rayon::scope(|scope| {
        for (seed, sum) in (0..).zip(&mut sums) {
            scope.spawn(move |_| *sum = work(seed));
        }
        black_box(work(9));
    });
    assert_eq!(sums, [64, 128, 192, 256]);
}
