//! A `join` inside a spawned task ends before that task does, so it orders its two closures with
//! the task's rest, and not with the scope's body.

use shared::Shared;

fn main() {
    let mut cells = [0_u64; 2];
    let cell = Shared::slice(&mut cells);
    rayon::scope(|scope| {
        scope.spawn(move |_| {
            rayon::join(
                || {
                    // SAFETY: `cells` outlives the scope; the conflict is what is tested.
                    unsafe { *cell.at(0) = 1 } //~ race 1
                },
                || {
                    // SAFETY: only this task touches this one.
                    unsafe { *cell.at(1) = 1 }
                },
            );
            // SAFETY: the join has ended.
            unsafe { *cell.at(1) += 1 }
        });
        // SAFETY: as above.
        unsafe { *cell.at(0) = 2 } //~ race 1
    });
    assert_eq!(cells[1], 2);
}
