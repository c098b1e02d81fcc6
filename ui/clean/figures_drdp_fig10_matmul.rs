//! Jin et al. 2023, Figure 10: a matrix product with one task for each element. Each of them runs
//! the whole loop over `k`, so the repeated update of its element stays within one step.

use rosser::finish;
use shared::Shared;

const N: usize = 4;

fn main() {
    let a: Vec<u64> = (1..).take(N * N).collect();
    let b: Vec<u64> = (5..).take(N * N).collect();
    let mut c = vec![0_u64; N * N];
    let element = Shared::slice(&mut c);
    finish(|s| {
        for i in 0..N {
            for j in 0..N {
                let (a, b) = (&a, &b);
                s.spawn(move |_| {
                    for k in 0..N {
                        // SAFETY: the element is this task's own.
                        unsafe { *element.at(i * N + j) += a[i * N + k] * b[k * N + j] }
                    }
                });
            }
        }
    });
    let product = |i: usize, j: usize| (0..N).map(|k| a[i * N + k] * b[k * N + j]).sum::<u64>();
    assert!((0..N * N).all(|at| c[at] == product(at / N, at % N)));
}
