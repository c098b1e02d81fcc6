//! Branch and bound: which of some items to take, so that they are worth most and not too heavy. A
//! branch is not searched if it cannot be better than the best value that is known, which all tasks
//! share.
//!
//! The bug: the best value is read and written with nothing to protect it. A task may overwrite a
//! better value than its own, which another has found meanwhile.

use rosser::{Finish, finish};
use shared::Shared;

/// Value and weight, the most valuable for their weight first.
const ITEMS: [(u64, u64); 12] = [
    (76, 19),
    (97, 32),
    (41, 14),
    (86, 30),
    (90, 36),
    (92, 38),
    (79, 37),
    (72, 35),
    (91, 45),
    (24, 16),
    (61, 60),
    (28, 36),
];
const ROOM: u64 = 199;
/// Down to this item each choice is a task.
const PARALLEL: usize = 4;

/// Some items are chosen, the others are still to be decided upon.
#[derive(Clone, Copy)]
struct Node {
    next: usize,
    value: u64,
    room: u64,
}

impl Node {
    const ROOT: Self = Self { next: 0, value: 0, room: ROOM };

    /// What can be reached at best: the last item need not fit in one piece.
    fn bound(self) -> u64 {
        let Self { next, mut value, mut room } = self;
        for (item, weight) in &ITEMS[next..] {
            if *weight > room {
                return value + (item * room).div_ceil(*weight);
            }
            value += item;
            room -= weight;
        }
        value
    }

    /// With the next item, if it fits, and without it.
    fn children(self) -> impl Iterator<Item = Self> {
        let (item, weight) = ITEMS[self.next];
        let without = Self { next: self.next + 1, ..self };
        let with = self.room.checked_sub(weight);
        let with = with.map(|room| Self { value: self.value + item, room, ..without });
        with.into_iter().chain([without])
    }
}

fn search(s: &Finish<'_>, node: Node, best: Shared<u64>) {
    // SAFETY: it lives until the finish ends. That it is written meanwhile is the bug.
    let known = unsafe { *best.get() }; //~ race 1
    if node.bound() <= known {
        return;
    }
    if node.next == ITEMS.len() {
        // SAFETY: as above.
        unsafe { *best.get() = node.value } //~ race 1, race 2
        return;
    }
    for child in node.children() {
        if node.next < PARALLEL {
            s.spawn(move |s| search(s, child, best));
        } else {
            search(s, child, best);
        }
    }
}

/// The best value, by a table of all rooms.
fn right() -> u64 {
    let mut best = [0; ROOM as usize + 1];
    for (item, weight) in ITEMS {
        for room in (weight as usize..best.len()).rev() {
            best[room] = best[room].max(best[room - weight as usize] + item);
        }
    }
    best[ROOM as usize]
}

fn main() {
    let mut best = 0;
    let place = Shared::new(&mut best);
    finish(|s| search(s, Node::ROOT, place));
    println!("the best choice is worth {best}, and should be {}", right());
    assert!((1..=right()).contains(&best));
}
