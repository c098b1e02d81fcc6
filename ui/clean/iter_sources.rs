//! Every collection and range that can be iterated in parallel, by reference and by value.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};

use rayon::prelude::*;

fn main() {
    let numbers = || 0..8_u32;
    let mut deque: VecDeque<u32> = numbers().collect();
    deque.rotate_left(3);
    assert_eq!(deque.par_iter().sum::<u32>(), 28);
    deque.par_iter_mut().for_each(|item| *item += 1);
    assert_eq!(deque.into_par_iter().sum::<u32>(), 36);
    let mut map: HashMap<u32, u32> = numbers().map(|item| (item, item)).collect();
    map.par_iter_mut().for_each(|(key, value)| *value += key);
    assert_eq!(map.into_par_iter().map(|(_, value)| value).sum::<u32>(), 56);
    let mut map: BTreeMap<u32, u32> = numbers().map(|item| (item, item)).collect();
    map.par_iter_mut().for_each(|(key, value)| *value += key);
    assert_eq!(map.into_par_iter().map(|(_, value)| value).sum::<u32>(), 56);
    assert_eq!(numbers().collect::<HashSet<_>>().par_iter().sum::<u32>(), 28);
    assert_eq!(numbers().collect::<BTreeSet<_>>().par_iter().sum::<u32>(), 28);
    assert_eq!(numbers().collect::<BinaryHeap<_>>().into_par_iter().sum::<u32>(), 28);
    assert_eq!(numbers().collect::<LinkedList<_>>().par_iter().sum::<u32>(), 28);
    assert_eq!([[1_u32, 2], [3, 4]].into_par_iter().flatten().sum::<u32>(), 10);
    assert_eq!(Some(3_u32).into_par_iter().chain(Ok::<u32, ()>(4)).sum::<u32>(), 7);
    assert_eq!((0..=8_u64).into_par_iter().sum::<u64>(), 36);
    assert_eq!(('a'..='h').into_par_iter().count(), 8);
    let mut vector: Vec<String> = numbers().map(|item| item.to_string()).collect();
    assert_eq!(vector.par_drain(2..5).collect::<String>(), "234");
    assert_eq!(vector.len(), 5);
}
