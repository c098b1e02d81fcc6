//! Six tasks in scopes of a finish: the first four write, and are waited for before the last two,
//! which read, are started. Which iteration waits is decided at run time.

use rosser::finish;
use shared::Shared;

fn main() {
    let (mut inputs, mut outputs) = ([0_u64; 4], [0_u64; 2]);
    let (input, output) = (Shared::slice(&mut inputs), Shared::slice(&mut outputs));
    finish(|s| {
        let mut scope = s.begin();
        for i in 0..6 {
            scope.spawn(move |_| {
                if i < 4 {
                    // SAFETY: the element is this task's own until the scope ends.
                    unsafe { *input.at(i) = 10 * i as u64 }
                } else {
                    // SAFETY: the inputs have been written, the output is this task's own.
                    unsafe { *output.at(i - 4) = *input.at(i - 4) + *input.at(i - 2) }
                }
            });
            if i == 3 {
                scope.end();
                scope = s.begin();
            }
        }
    });
    assert_eq!(outputs, [20, 40]);
}
