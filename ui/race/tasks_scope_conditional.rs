//! Six tasks in scopes of a finish, of which the last two read what the first four write. The scope
//! is ended one iteration too early: the fourth task belongs to the next one.

use std::hint::black_box;

use rosser::finish;
use shared::Shared;

fn main() {
    let mut inputs = [0_u64; 4];
    let input = Shared::slice(&mut inputs);
    finish(|s| {
        let mut scope = s.begin();
        for i in 0..4 {
            scope.spawn(move |_| {
                // SAFETY: the index is in bounds; the conflict is what is tested.
                unsafe { *input.at(i) = 10 * i as u64 } //~ race 1
            });
            if i == 2 {
                scope.end();
                scope = s.begin();
            }
        }
        for i in 0..2 {
            scope.spawn(move |_| {
                // SAFETY: as above.
                black_box(unsafe { *input.at(i) + *input.at(i + 2) }); //~ race 1
            });
        }
    });
    assert_eq!(inputs, [0, 10, 20, 30]);
}
