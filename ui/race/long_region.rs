//! Millions of tasks lie between the two accesses, in one parallel region: what is remembered of the
//! first must not get lost or mixed up when the ids of the others are given anew.

use std::hint::black_box;

use shared::Shared;

fn main() {
    let mut number = 0_u64;
    let word = Shared::new(&mut number);
    let mut table = vec![0_u64; 64];
    let ((), leaves) = rayon::join(
        // SAFETY: `number` outlives the join; the conflict is what is tested, here and below.
        || unsafe { *word.get() = 1 }, //~ race 1
        || {
            let leaves = count(&mut table, 20);
            // SAFETY: as above.
            unsafe { *word.get() = 2 } //~ race 1
            leaves
        },
    );
    assert_eq!((leaves, number), (1 << 20, 2));
}

/// How many leaves a tree of tasks has. Each task has accesses of its own to shared memory.
fn count(table: &mut [u64], height: u32) -> u64 {
    if height == 0 {
        table[0] += 1;
        return black_box(table)[0].min(1);
    }
    let middle = (table.len() / 2).max(1);
    if table.len() < 2 {
        let (mut left, mut right) = ([0], [0]);
        let (a, b) = rayon::join(|| count(&mut left, height - 1), || count(&mut right, height - 1));
        return a + b;
    }
    let (left, right) = table.split_at_mut(middle);
    let (a, b) = rayon::join(|| count(left, height - 1), || count(right, height - 1));
    a + b
}
