//! A bank: transfers between accounts, each a task, and each in an isolated section, so that no
//! money is ever seen on neither account or on both.
//!
//! The bug: the one who adds up all balances does so outside of any isolated section. Those exclude
//! one another, but nobody else. (That the transfers themselves are reported as order-dependent is
//! because nobody can know that a read and a write make an addition, which commutes.)

use rosser::{finish, isolated};
use shared::Shared;

const ACCOUNTS: usize = 4;

struct Transfer {
    from: usize,
    to: usize,
    amount: i64,
}

const TRANSFERS: [Transfer; 6] = [
    Transfer { from: 0, to: 1, amount: 30 },
    Transfer { from: 1, to: 2, amount: 50 },
    Transfer { from: 2, to: 3, amount: 20 },
    Transfer { from: 3, to: 0, amount: 40 },
    Transfer { from: 0, to: 2, amount: 10 },
    Transfer { from: 1, to: 3, amount: 25 },
];

fn book(balances: Shared<i64>, transfer: &Transfer) {
    let (from, to) = (balances.at(transfer.from), balances.at(transfer.to));
    let amount = transfer.amount;
    isolated(|| {
        // SAFETY: both are accounts, and no other transfer is being booked.
        unsafe { (*from, *to) = (*from - amount, *to + amount) } //~ race 1, order 1
    });
}

fn total(balances: Shared<i64>) -> i64 {
    let mut total = 0;
    for account in 0..ACCOUNTS {
        // SAFETY: it is an account. That transfers may be booked meanwhile is the bug.
        total += unsafe { *balances.at(account) }; //~ race 1
    }
    total
}

fn main() {
    let mut accounts = [100_i64; ACCOUNTS];
    let balances = Shared::slice(&mut accounts);
    let total = finish(|s| {
        for transfer in &TRANSFERS {
            s.spawn(move |_| book(balances, transfer));
        }
        s.spawn_future(move |_| total(balances)).get()
    });
    println!("the balances are {accounts:?}; while they changed, they seemed to add up to {total}");
    assert_eq!(accounts, [100, 55, 140, 105]);
}
