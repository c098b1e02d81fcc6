//! Raman et al. 2012, Figure 3 (b): the conditional sync as the end of one scope and the beginning
//! of the next. The races are those of Figure 3 (a).

use rosser::finish;
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
    finish(|s| {
        let mut scope = s.begin();
        for i in 0..6 {
            scope.spawn(move |_| f(a, i));
            if i == 3 {
                scope.end();
                scope = s.begin();
            }
        }
    });
    assert!(values.iter().all(|&value| value > 0));
}
