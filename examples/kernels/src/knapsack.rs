//! The knapsack problem by branch and bound: with and without an item in parallel. What is known to
//! be reachable when a branch begins is handed down to it, so the result and the search are the same
//! in every schedule.

use rayon::join;

use crate::random::Random;
use crate::size::Size;

/// With fewer items left, branches are searched one after the other.
const CUT_OFF: usize = 14;

#[derive(Clone, Copy)]
struct Item {
    weight: u64,
    value: u64,
}

/// Fills a knapsack as well as possible and checks that with a table over all capacities.
pub fn run(size: Size) -> u64 {
    let (n, seed) = size.pick((16, 8), (60, 4));
    let mut random = Random::new(seed);
    // Values near to weights make the bounds weak and the search long.
    let mut items: Vec<Item> = (0..n)
        .map(|_| (200 + random.below(800), random.below(100)))
        .map(|(weight, extra)| Item { weight, value: weight + extra })
        .collect();
    items.sort_by(|a, b| (b.value * a.weight).cmp(&(a.value * b.weight)));
    let capacity = items.iter().map(|item| item.weight).sum::<u64>() / 2;
    let best = search(&items, capacity, 0, greedy(&items, capacity));

    let mut table = vec![0; capacity as usize + 1];
    for item in &items {
        for space in (item.weight as usize..table.len()).rev() {
            table[space] = table[space].max(table[space - item.weight as usize] + item.value);
        }
    }
    assert_eq!(best, table[capacity as usize]);
    best
}

/// What is reached by taking every item that still fits.
fn greedy(items: &[Item], mut capacity: u64) -> u64 {
    let mut value = 0;
    for item in items.iter() {
        if item.weight <= capacity {
            capacity -= item.weight;
            value += item.value;
        }
    }
    value
}

/// The best total value, given the value so far and one that is known to be reachable.
fn search(items: &[Item], capacity: u64, value: u64, reachable: u64) -> u64 {
    let reachable = reachable.max(value);
    let Some((item, rest)) = items.split_first() else { return reachable };
    if value + bound(items, capacity) <= reachable {
        return reachable;
    }
    let without = |reachable| search(rest, capacity, value, reachable);
    if item.weight > capacity {
        return without(reachable);
    }
    let with = || search(rest, capacity - item.weight, value + item.value, reachable);
    if items.len() < CUT_OFF {
        without(with())
    } else {
        let (a, b) = join(with, || without(reachable));
        a.max(b)
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
