//! A bank: transfers between accounts, each a task, and each in an isolated section, so that they
//! are booked one by one. Every account may be overdrawn, and the balances are changed by atomic
//! additions, of which everybody knows that they commute: the order in which transfers are booked
//! makes no difference.

use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

use rosser::{finish, isolated};

struct Transfer {
    from: usize,
    to: usize,
    amount: i64,
}

const TRANSFERS: [Transfer; 6] = [
    Transfer { from: 0, to: 1, amount: 130 },
    Transfer { from: 1, to: 2, amount: 50 },
    Transfer { from: 2, to: 3, amount: 220 },
    Transfer { from: 3, to: 0, amount: 40 },
    Transfer { from: 0, to: 2, amount: 10 },
    Transfer { from: 1, to: 3, amount: 25 },
];

fn book(balances: &[AtomicI64], booked: &AtomicI64, transfer: &Transfer) {
    isolated(|| {
        balances[transfer.from].fetch_sub(transfer.amount, Relaxed);
        balances[transfer.to].fetch_add(transfer.amount, Relaxed);
        booked.fetch_add(1, Relaxed);
    });
}

fn main() {
    let balances = [(); 4].map(|()| AtomicI64::new(100));
    let booked = AtomicI64::new(0);
    finish(|s| {
        for transfer in &TRANSFERS {
            let (balances, booked) = (&balances, &booked);
            s.spawn(move |_| book(balances, booked, transfer));
        }
    });
    let balances = balances.map(AtomicI64::into_inner);
    println!("after {} transfers the balances are {balances:?}", booked.into_inner());
    assert_eq!(balances, [0, 155, -60, 305]);
}
