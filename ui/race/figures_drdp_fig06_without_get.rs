//! Jin et al. 2023, Figure 6 without main's get: the promise itself is raced for. A task that comes
//! too early and finds nothing waits for `y` after all and looks again, so that the program ends in
//! every schedule.

use rosser::{Promise, finish};
use shared::Shared;

fn main() {
    let (p, y) = (Promise::new(), Promise::new());
    let mut x: Option<&Promise<()>> = None;
    let place = Shared::new(&mut x);
    finish(|s| {
        s.spawn(|_| {
            // SAFETY: `x` outlives the finish; the conflict is what is tested.
            unsafe { *place.get() = Some(&p) } //~ race 1
            y.set(());
            p.get();
        });
        s.spawn(|_| {
            // SAFETY: as above.
            let p = unsafe { *place.get() }; //~ race 1
            let p = p.unwrap_or_else(|| {
                y.get();
                // SAFETY: it has been stored.
                unsafe { *place.get() }.expect("it was stored")
            });
            p.set(());
        });
    });
}
