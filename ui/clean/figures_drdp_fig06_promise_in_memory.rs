//! Jin et al. 2023, Figure 6: a promise travels through memory. Only the path from the first task
//! over `y` and main to the second orders the store and the load of it. The first task has to be
//! suspended: no serial order of the tasks will do.

use rosser::{Promise, finish};
use shared::Shared;

fn main() {
    let (p, y) = (Promise::new(), Promise::new());
    let mut x: Option<&Promise<()>> = None;
    let place = Shared::new(&mut x);
    finish(|s| {
        s.spawn(|_| {
            // SAFETY: `x` outlives the finish, and nobody else touches it before `y` is set.
            unsafe { *place.get() = Some(&p) }
            y.set(());
            p.get();
        });
        y.get();
        s.spawn(|_| {
            // SAFETY: main had waited for `y` when it started this task.
            let p = unsafe { *place.get() };
            p.expect("it was stored").set(());
        });
    });
}
