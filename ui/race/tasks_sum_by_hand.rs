//! A sum that tasks add to with nothing to protect it.

use rosser::finish;
use shared::Shared;

fn main() {
    let mut sum = 0_u64;
    let place = Shared::new(&mut sum);
    finish(|s| {
        for number in 1..=20 {
            s.spawn(move |_| {
                // SAFETY: `sum` outlives the finish; the conflict is what is tested.
                unsafe { *place.get() += number } //~ race 1
            });
        }
    });
    assert!((1..=210).contains(&sum));
}
