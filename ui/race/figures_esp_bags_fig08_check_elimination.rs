//! Raman et al. 2012, Figure 8: the example for check elimination. All tasks write `p`, and task
//! `i` writes `B[j]` for `j < i` while task `j` reads it. The read of `p` in the loop is racy only
//! where the same task's write before it is, and not reported beside it.

use std::hint::black_box;

use rosser::finish;
use shared::Shared;

const SIZE: usize = 3;

fn main() {
    let a = [1_u64, 2, 3];
    let (mut values, mut number) = ([0_u64; SIZE], 0_u64);
    let (b, p) = (Shared::slice(&mut values), Shared::new(&mut number));
    finish(|s| {
        for i in 0..SIZE {
            let a = &a;
            s.spawn(move |_| {
                // SAFETY: the index is in bounds; the conflicts are what is tested.
                let own = unsafe { *b.at(i) }; //~ race 1
                // SAFETY: as above.
                unsafe { *p.get() = a[i] + own } //~ race 2
                let mut q = [0_u64; 2];
                for j in 0..i {
                    // SAFETY: as above.
                    q[0] = unsafe { *p.get() } + 1;
                    black_box(&mut q);
                    // SAFETY: as above.
                    unsafe { *b.at(j) = q[1] + i as u64 } //~ race 1, race 3
                }
            });
        }
    });
    assert!(number > 0 && values[SIZE - 1] == 0);
}
