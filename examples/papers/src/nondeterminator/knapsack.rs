//! The knapsack problem by branch and bound: with and without an item in parallel. All branches share
//! the best value so far, so how much is searched depends on the schedule; what is found does not.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use rayon::join;

use crate::check::{Outcome, ensure};
use crate::random::Random;
use crate::shared::Shared;
use crate::size::Size;

/// With fewer items left, branches are searched one after the other.
const CUT_OFF: usize = 8;

#[derive(Clone, Copy)]
struct Item {
    weight: u64,
    value: u64,
}

/// The best value so far.
#[derive(Clone, Copy)]
enum Best<'a> {
    Atomic(&'a AtomicU64),
    Plain(Shared<u64>),
}

impl Best<'_> {
    fn value(self) -> u64 {
        match self {
            Self::Atomic(best) => best.load(Relaxed), // order: it may be better later
            // SAFETY: there is none. Others write it.
            Self::Plain(best) => unsafe { *best.get() }, // race: it is neither atomic nor locked
        }
    }

    fn raise(self, value: u64) {
        match self {
            Self::Atomic(best) => {
                let higher = |best| (value > best).then_some(value);
                let _ = best.fetch_update(Relaxed, Relaxed, higher); // order: likewise
            }
            Self::Plain(best) if self.value() < value => {
                // SAFETY: there is none. Others write it, too.
                unsafe { *best.get() = value } // race: it may replace a better one
            }
            Self::Plain(_) => {}
        }
    }
}

/// Fills a knapsack as well as possible and checks that with a table over all capacities.
pub fn run(size: Size, racy: bool) -> Outcome {
    let (n, hard) = size.pick((14, 10), (32, 29), (30, 30));
    let mut random = Random::new(8);
    // Where weights are even, values are weights and the capacity is odd, no bound tells that the
    // knapsack cannot be filled.
    let mut items: Vec<Item> = (0..n)
        .map(|i| (2 * (100 + random.below(400)), if i < hard { 0 } else { random.below(100) }))
        .map(|(weight, extra)| Item { weight, value: weight + extra })
        .collect();
    items.sort_by_key(|item| item.value * 1_000_000 / item.weight);
    items.reverse();
    let half = items.iter().map(|item| item.weight).sum::<u64>() / 2;
    let capacity = half | 1;
    let (atomic, mut plain) = (AtomicU64::new(0), 0);
    let plain = Shared::one(&mut plain);
    let best = if racy { Best::Plain(plain) } else { Best::Atomic(&atomic) };
    search(&items, capacity, 0, best);

    let mut table = vec![0; capacity as usize + 1];
    for item in &items {
        for space in (item.weight as usize..table.len()).rev() {
            table[space] = table[space].max(table[space - item.weight as usize] + item.value);
        }
    }
    let found = best.value();
    ensure(found == table[capacity as usize], "there is a better choice")?;
    Ok(found)
}

fn search(items: &[Item], capacity: u64, value: u64, best: Best<'_>) {
    let Some((item, rest)) = items.split_first() else {
        return best.raise(value);
    };
    if value + bound(items, capacity) <= best.value() {
        return;
    }
    let without = || search(rest, capacity, value, best);
    let with = || {
        if item.weight <= capacity {
            search(rest, capacity - item.weight, value + item.value, best);
        }
    };
    if items.len() < CUT_OFF {
        with();
        without();
    } else {
        join(with, without);
    }
}

/// What the items could add at most, if they could be cut.
fn bound(items: &[Item], mut capacity: u64) -> u64 {
    let mut value = 0;
    for item in items {
        if item.weight > capacity {
            return value + item.value * capacity / item.weight;
        }
        capacity -= item.weight;
        value += item.value;
    }
    value
}
