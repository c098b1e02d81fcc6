//! Branch and bound: which of some items to take, so that they are worth most and not too heavy. A
//! branch is not searched if it cannot be better than what is known. Known to a task is what was
//! known when it was started, and what it has found itself; all that is found goes into an
//! accumulator, which no task can read.

use rosser::{Accumulator, Finish, Max, finish};

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

/// Searches a branch, and gives back the best value that the task knows then.
fn search<'scope>(
    s: &Finish<'scope>,
    node: Node,
    mut known: u64,
    best: &'scope Accumulator<u64, Max>,
) -> u64 {
    if node.bound() <= known {
        return known;
    }
    if node.next == ITEMS.len() {
        best.accumulate(node.value);
        return node.value;
    }
    for child in node.children() {
        if node.next < PARALLEL {
            s.spawn(move |s| {
                search(s, child, known, best);
            });
        } else {
            known = search(s, child, known, best);
        }
    }
    known
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
    let best = Accumulator::new(Max, 0);
    finish(|s| search(s, Node::ROOT, 0, &best));
    let best = best.into_inner();
    println!("the best choice is worth {best}");
    assert_eq!(best, right());
}
