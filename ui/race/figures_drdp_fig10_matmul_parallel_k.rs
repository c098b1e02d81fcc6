//! Jin et al. 2023, Figure 10 with the wrong loop parallel: each task adds one term to every
//! element, and the additions to one element race with each other.

use rosser::finish;
use shared::Shared;

const N: usize = 4;

fn main() {
    let a: Vec<u64> = (1..).take(N * N).collect();
    let b: Vec<u64> = (5..).take(N * N).collect();
    let mut c = vec![0_u64; N * N];
    let element = Shared::slice(&mut c);
    finish(|s| {
        for k in 0..N {
            let (a, b) = (&a, &b);
            s.spawn(move |_| {
                for i in 0..N {
                    for j in 0..N {
                        // SAFETY: the index is in bounds; the conflict is what is tested.
                        unsafe { *element.at(i * N + j) += a[i * N + k] * b[k * N + j] } //~ race 1
                    }
                }
            });
        }
    });
    assert!(c.iter().all(|&element| element > 0));
}
