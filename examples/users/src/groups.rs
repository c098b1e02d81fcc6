//! Groups records by a key: maps of vectors for each part, then all together.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::random::Random;
use crate::size::Size;

type Groups = HashMap<u16, Vec<u32>>;

/// Groups, and checks that all records are in their group.
pub fn run(size: Size) -> u64 {
    let (records, keys) = size.pick((3_000, 20), (3_000_000, 1_000));
    let mut random = Random::new(20);
    let records: Vec<u16> = (0..records).map(|_| random.below(keys) as u16).collect();
    let groups = records
        .par_iter()
        .enumerate()
        .fold(Groups::new, |mut groups, (id, &key)| {
            groups.entry(key).or_default().push(id as u32);
            groups
        })
        .reduce(Groups::new, |mut groups, others| {
            for (key, mut ids) in others {
                groups.entry(key).or_default().append(&mut ids);
            }
            groups
        });
    assert_eq!(groups.values().map(Vec::len).sum::<usize>(), records.len());
    assert!(groups.par_iter().all(|(key, ids)| ids.iter().all(|&id| records[id as usize] == *key)));
    groups.par_iter().map(|(key, ids)| u64::from(*key) * ids.len() as u64).sum()
}
