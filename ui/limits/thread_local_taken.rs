//! Known false report: a buffer is taken out of a thread-local while it is used, and put back. Each
//! worker has its own, but when the conflict is judged no thread-local leads to the buffer.

use std::cell::Cell;

thread_local! {
    static SPARE: Cell<Option<Box<[u32; 16]>>> = const { Cell::new(None) };
}

fn sum(number: u32) -> u32 {
    let mut numbers = SPARE.take().unwrap_or_default(); //~ race 1
    numbers[0] = number; //~ race 1
    let sum = numbers[0] + 1;
    SPARE.set(Some(numbers));
    sum
}

fn main() {
    let sums = rayon::join(|| sum(1), || sum(2));
    assert_eq!(sums, (2, 3));
}
