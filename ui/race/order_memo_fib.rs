//! Fibonacci numbers with a shared table of known ones: whether a task finds its number there
//! depends on the schedule, its result does not.

use std::collections::HashMap;
use std::sync::Mutex;

fn fib(n: u64, known: &Mutex<HashMap<u64, u64>>) -> u64 {
    if n < 2 {
        return n;
    }
    let found = known.lock().expect("nobody panics").get(&n).copied(); //~ order 1
    if let Some(value) = found {
        return value;
    }
    let (a, b) = rayon::join(|| fib(n - 1, known), || fib(n - 2, known));
    known.lock().expect("nobody panics").insert(n, a + b); //~ order 1
    a + b
}

fn main() {
    assert_eq!(fib(20, &Mutex::default()), 6765);
}
