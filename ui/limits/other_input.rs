//! A clean run speaks for this input only: the branch that would race is not taken.

use shared::Shared;

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    let racy = std::env::args().nth(1).is_some_and(|argument| argument == "racy");
    let write = |value| {
        if racy {
            // SAFETY: `x` outlives the join.
            unsafe { *place.get() = value }
        }
    };
    rayon::join(|| write(1), || write(2));
    assert_eq!(x, 0);
}
