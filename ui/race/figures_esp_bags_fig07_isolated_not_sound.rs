//! Raman et al. 2012, Figure 7: a race behind two isolated writes. In depth-first order the task's
//! 0 is overwritten and the block under `if` skipped; in the other order its two writes race. That
//! is not seen, but the two sections are reported as order-dependent.

use rosser::{finish, isolated};
use shared::Shared;

fn main() {
    let (mut t, mut x) = (7_u64, 0_u64);
    let (at_t, at_x) = (Shared::new(&mut t), Shared::new(&mut x));
    finish(|s| {
        s.spawn(|_| {
            isolated(|| {
                // SAFETY: `t` outlives the finish, and is touched in isolated sections only.
                unsafe { *at_t.get() = 0 } //~ order 1
            });
        });
        isolated(|| {
            // SAFETY: as above.
            unsafe { *at_t.get() = 1 } //~ order 1
        });
    });
    if t == 0 {
        finish(|s| {
            s.spawn(|_| {
                // SAFETY: `x` outlives the finish; the conflict is what the figure is about.
                unsafe { *at_x.get() = 20 }
            });
            // SAFETY: as above.
            unsafe { *at_x.get() = 10 }
        });
    }
    assert!(x == 0 || x == 10 || x == 20);
}
