//! Raman et al. 2012, Figure 3 (a): a sync that only one iteration executes. Each child reads what
//! the one before writes, so neighbours race, except for the two with the sync between them.

use rosser::procedure;
use shared::Shared;

fn f(a: Shared<u64>, i: usize) {
    // SAFETY: the index is in bounds; the conflict is what is tested.
    let before = if i > 0 { unsafe { *a.at(i - 1) } } else { 0 }; //~ race 1
    // SAFETY: as above.
    unsafe { *a.at(i) = before + 1 } //~ race 1
}

fn main() {
    let mut values = [0_u64; 6];
    let a = Shared::slice(&mut values);
    procedure(|p| {
        for i in 0..6 {
            p.spawn(move |_| f(a, i));
            if i == 3 {
                p.sync();
            }
        }
    });
    assert!(values.iter().all(|&value| value > 0));
}
