//! Structured futures: a sum by halves. Each level creates a future for one half, does the other
//! itself, gets the future and combines.

use rosser::{Finish, finish};
use shared::Shared;

const LEN: usize = 8;

/// Puts the sum of the numbers below a node of the tree where the node is. Leaves come last.
fn add(s: &Finish<'_>, sums: Shared<u64>, node: usize) {
    if node >= LEN {
        return;
    }
    let left = s.spawn_future(move |s| add(s, sums, 2 * node));
    add(s, sums, 2 * node + 1);
    left.get();
    // SAFETY: the halves are through, and the node is ours.
    unsafe { *sums.at(node) = *sums.at(2 * node) + *sums.at(2 * node + 1) }
}

fn main() {
    let mut tree: Vec<u64> = (0..2 * LEN as u64).collect();
    let sums = Shared::slice(&mut tree);
    finish(|s| add(s, sums, 1));
    assert_eq!(tree[1], (8..16).sum());
}
