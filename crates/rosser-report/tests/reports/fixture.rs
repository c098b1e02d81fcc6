//! Code for findings to point into. Only its places matter: a comment `@name` names the line it is
//! on, and the tests look up an address there.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

/// A static with a name, in the initialised data.
pub static TOTAL: AtomicU64 = AtomicU64::new(7);

#[inline(never)]
pub fn deposit(account: &mut [u64], amount: u64) {
    black_box(amount);
    account[0] += amount; // @deposit
    black_box(&account);
}

#[inline(never)]
pub fn audit(account: &[u64]) -> u64 {
    black_box(&account);
    let balance = account[0]; // @audit
    black_box(balance)
}

#[inline]
fn bump(counter: &mut u64) {
    *counter = black_box(*counter) + 1; // @bump
}

#[inline(never)]
pub fn count(counter: &mut u64) {
    black_box(&counter);
    bump(counter); // @count
    black_box(&counter);
}

/// Two lines that look the same.
#[inline(never)]
pub fn repeat(counter: &mut u64) {
    *counter = black_box(*counter); // @repeat
    *counter = black_box(*counter); // @repeat
}

#[inline(never)]
pub fn publish(value: u64) -> u64 {
    TOTAL.store(black_box(value), Ordering::Release); // @publish
    black_box(TOTAL.load(Ordering::Acquire)) // @observe
}

#[inline(never)]
fn open() -> Vec<u64> {
    black_box(vec![0; 500])
}

#[inline(never)]
pub fn bank(account: &mut [u64]) -> u64 {
    black_box(open()); // @allocate
    deposit(account, 1); // @join
    black_box(audit(account)) // @bank
}

/// Keeps everything above in the executable.
pub fn run() -> u64 {
    let mut account = vec![0];
    let mut counter = 0;
    count(&mut counter);
    repeat(&mut counter);
    bank(&mut account) + publish(counter)
}
