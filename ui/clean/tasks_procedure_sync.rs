//! The sum of a tree with spawn and sync: the parent adds what its children have written after it
//! has waited for them.

use rosser::{Procedure, procedure};
use shared::Shared;

fn add(p: &Procedure<'_>, sums: Shared<u64>, node: usize) {
    if node >= 8 {
        return;
    }
    p.spawn(move |p| add(p, sums, 2 * node));
    p.spawn(move |p| add(p, sums, 2 * node + 1));
    p.sync();
    // SAFETY: the children have ended, and the node is ours.
    unsafe { *sums.at(node) = *sums.at(2 * node) + *sums.at(2 * node + 1) }
}

fn main() {
    let mut tree: Vec<u64> = (0..16).collect();
    let sums = Shared::slice(&mut tree);
    procedure(|p| add(p, sums, 1));
    assert_eq!(tree[1], (8..16).sum());
}
