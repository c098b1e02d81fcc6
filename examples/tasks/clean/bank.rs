//! A bank: each customer is a task and pays from the own account, one payment after the other, as
//! long as there is money. What is paid in goes into an accumulator for each account, and is there
//! on the next day. So which payments are rejected does not depend on who is faster.

use rosser::{Accumulator, Sum, finish};

const CUSTOMERS: usize = 4;
const DAYS: u64 = 3;

/// The payments that a customer wants to make on a day: to whom, and how much.
fn payments(customer: usize, day: u64) -> impl Iterator<Item = (usize, u64)> {
    (1..CUSTOMERS).map(move |step| {
        let to = (customer + step) % CUSTOMERS;
        (to, (customer as u64 * 17 + step as u64 * 29 + day * 13) % 60)
    })
}

/// A day of a customer: pays what can be paid, and gives back how many payments were rejected.
fn pay(customer: usize, day: u64, balance: &mut u64, paid_in: &[Accumulator<u64, Sum>]) -> u64 {
    let mut rejected = 0;
    for (to, amount) in payments(customer, day) {
        match balance.checked_sub(amount) {
            Some(rest) => {
                *balance = rest;
                paid_in[to].accumulate(amount);
            }
            None => rejected += 1,
        }
    }
    rejected
}

fn main() {
    let mut balances = [100_u64, 70, 40, 10];
    let rejected = Accumulator::new(Sum, 0);
    for day in 0..DAYS {
        let paid_in: Vec<_> = (0..CUSTOMERS).map(|_| Accumulator::new(Sum, 0)).collect();
        finish(|s| {
            for (customer, balance) in balances.iter_mut().enumerate() {
                let (paid_in, rejected) = (&paid_in, &rejected);
                s.spawn(move |_| rejected.accumulate(pay(customer, day, balance, paid_in)));
            }
        });
        for (balance, paid_in) in balances.iter_mut().zip(paid_in) {
            *balance += paid_in.into_inner();
        }
    }
    let rejected = rejected.into_inner();
    println!("the balances are {balances:?}, and {rejected} payments were rejected");
    assert_eq!((balances, rejected), ([80, 21, 40, 79], 16));
}
