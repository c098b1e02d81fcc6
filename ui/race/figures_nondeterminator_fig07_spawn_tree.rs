//! Feng and Leiserson 1997, Figure 7: who is in an S-bag and who in a P-bag. Each procedure Fk
//! writes `d[k]`, and F13 reads them all. It races with those in a P-bag at that moment: F4, F5,
//! F8, F11 and F12. The others were synced, or are still running.

use std::hint::black_box;

use rosser::procedure;
use shared::Shared;

fn main() {
    let mut values = [0_u64; 13];
    let d = Shared::slice(&mut values);
    // SAFETY: of this block and all that follow: indices are in bounds, and `values` outlives the
    // procedure. The conflicts are what is tested.
    procedure(|p| unsafe {
        *d.at(1) = 1;
        p.spawn(move |p| {
            *d.at(2) = 2;
            p.spawn(move |_| *d.at(3) = 3);
        });
        p.sync();
        p.spawn(move |p| {
            *d.at(4) = 4; //~ race 1
            p.spawn(move |_| {
                *d.at(5) = 5; //~ race 2
            });
        });
        p.spawn(move |p| {
            *d.at(6) = 6;
            p.spawn(move |_| *d.at(7) = 7);
            p.sync();
            p.spawn(move |_| {
                *d.at(8) = 8; //~ race 3
            });
            p.spawn(move |p| {
                *d.at(9) = 9;
                p.spawn(move |_| *d.at(10) = 10);
                p.sync();
                p.spawn(move |p| {
                    *d.at(11) = 11; //~ race 4
                    p.spawn(move |_| {
                        *d.at(12) = 12; //~ race 5
                    });
                });
                p.spawn(move |_| {
                    for k in 1..13 {
                        black_box(*d.at(k)); //~ race 1, race 2, race 3, race 4, race 5
                    }
                });
            });
        });
    });
    assert!((1..13).all(|k| values[k as usize] == k));
}
