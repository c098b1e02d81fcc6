//! Xu et al. 2021, Figure 1: six futures A to F, where A is main. What the text claims to be
//! ordered by gets is clean; nodes f and i are parallel, which is the race on `w`, and there is no
//! path from f to t, although the pseudo-SP-dag has one, which is the race on `x`.

use std::hint::black_box;

use rosser::{Future, finish, procedure};
use shared::Shared;

fn main() {
    let mut variables = [0_u64; 5];
    let [w, x, b_result, d_result, e_result] =
        [0, 1, 2, 3, 4].map(|at| Shared::from_raw(&raw mut variables[at]));
    let mut handle: Option<Future<()>> = None;
    let f_handle = Shared::new(&mut handle);
    // SAFETY: of this block: the variables outlive the finish; the conflicts are what is tested.
    finish(|s| unsafe {
        let b_future = s.spawn_future(move |_| *b_result.get() = 1); // c
        let c_future = s.spawn_future(move |_| {
            black_box(*w.get()); //~ race 1
            *x.get() = 2; //~ race 2
        });
        procedure(|p| {
            p.spawn(move |_| b_future.get()); // g
            p.sync(); // h
        });
        *w.get() = 3; //~ race 1
        let d_future = s.spawn_future(move |s| {
            *d_result.get() = 4; // j
            let e_future = s.spawn_future(move |_| *e_result.get() = 5); // k
            procedure(|p| {
                p.spawn(move |_| e_future.get()); // m
                p.sync(); // o
            });
            black_box(*e_result.get());
            let f_future = s.spawn_future(move |_| assert_eq!(*b_result.get(), 1)); // q
            *f_handle.get() = Some(f_future); // r
        });
        black_box(*x.get()); //~ race 2
        d_future.get(); // u
        assert_eq!(*d_result.get(), 4);
        (*f_handle.get()).take().expect("it was stored").get();
        c_future.get();
    });
    assert_eq!(variables, [3, 2, 1, 4, 5]);
}
