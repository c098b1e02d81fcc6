//! The same program with the argument that makes it race.
//@ args: racy

use shared::Shared;

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    let racy = std::env::args().nth(1).is_some_and(|argument| argument == "racy");
    let write = |value| {
        if racy {
            // SAFETY: `x` outlives the join; the conflict is what is tested.
            unsafe { *place.get() = value } //~ race 1
        }
    };
    rayon::join(|| write(1), || write(2));
    assert!(!racy || x == 1 || x == 2);
}
