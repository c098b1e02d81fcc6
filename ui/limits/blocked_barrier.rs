//! Two tasks meet at a barrier, which the first cannot pass before the second has begun.
//@ stopped: blocked

use std::sync::Barrier;

fn main() {
    let barrier = Barrier::new(2);
    rayon::join(|| barrier.wait(), || barrier.wait());
}
