//! Branch and bound: which of some items to take, so that they are worth most and not too heavy. A
//! branch is not searched if it cannot be better than the best value that is known, which all tasks
//! share in an atomic.
//!
//! No bug, strictly speaking: there is no data race, and the best value is the same in every
//! schedule. How much is searched is not, though, and neither is which of several best choices
//! would be found. So the atomic is reported as order-dependent.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rosser::{Accumulator, Finish, Sum, finish};

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

struct Search {
    best: AtomicU64,
    nodes: Accumulator<u64, Sum>,
}

impl Search {
    /// Makes a value known to all, and gives back the best that was known before.
    fn publish(&self, value: u64) -> u64 {
        let higher = |known| (known < value).then_some(value);
        self.best.fetch_update(Relaxed, Relaxed, higher).unwrap_or_else(|known| known) //~ order 1
    }

    fn search<'scope>(&'scope self, s: &Finish<'scope>, node: Node) {
        self.nodes.accumulate(1);
        // Any choice will do, whether or not something could be added to it.
        let known = self.publish(node.value).max(node.value);
        if node.next == ITEMS.len() || node.bound() <= known {
            return;
        }
        for child in node.children() {
            if node.next < PARALLEL {
                s.spawn(move |s| self.search(s, child));
            } else {
                self.search(s, child);
            }
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
    let search = Search { best: AtomicU64::new(0), nodes: Accumulator::new(Sum, 0) };
    finish(|s| search.search(s, Node::ROOT));
    let (best, nodes) = (search.best.into_inner(), search.nodes.into_inner());
    println!("the best choice is worth {best}, found in {nodes} steps");
    assert_eq!(best, right());
}
