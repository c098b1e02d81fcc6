//! A bank: transfers between accounts, each a task, and each in an isolated section. A transfer is
//! rejected if there is not enough money.
//!
//! The bug: which transfers are rejected depends on which come first. There is no data race, and no
//! money is lost; but the balances in the evening are a matter of luck.

use rosser::{finish, isolated};
use shared::Shared;

struct Transfer {
    from: usize,
    to: usize,
    amount: u64,
}

const TRANSFERS: [Transfer; 5] = [
    Transfer { from: 0, to: 1, amount: 80 },
    Transfer { from: 0, to: 2, amount: 50 },
    Transfer { from: 1, to: 2, amount: 150 },
    Transfer { from: 2, to: 3, amount: 100 },
    Transfer { from: 3, to: 0, amount: 120 },
];

/// What two accounts hold after a transfer from one to the other.
fn after(from: u64, to: u64, amount: u64) -> (u64, u64) {
    from.checked_sub(amount).map_or((from, to), |rest| (rest, to + amount))
}

fn book(balances: Shared<u64>, transfer: &Transfer) {
    let (from, to) = (balances.at(transfer.from), balances.at(transfer.to));
    isolated(|| {
        // SAFETY: both are accounts, and no other transfer is being booked.
        unsafe { (*from, *to) = after(*from, *to, transfer.amount) } //~ order 1
    });
}

fn main() {
    let mut accounts = [100_u64; 4];
    let balances = Shared::slice(&mut accounts);
    finish(|s| {
        for transfer in &TRANSFERS {
            s.spawn(move |_| book(balances, transfer));
        }
    });
    println!("the balances are {accounts:?}");
    assert_eq!(accounts.iter().sum::<u64>(), 400);
}
