//! Sorts records by several keys.

use rayon::prelude::*;

use crate::random::Random;
use crate::size::Size;

#[derive(Clone)]
struct Record {
    name: String,
    age: u8,
    points: u32,
}

/// Sorts, each time by another key.
pub fn run(size: Size) -> u64 {
    let mut records = records(size);
    records.par_sort_by(|a, b| a.name.cmp(&b.name));
    assert!(records.windows(2).all(|pair| pair[0].name <= pair[1].name));
    // It is stable: the names stay sorted among those of the same age.
    records.par_sort_by_key(|record| record.age);
    let is_sorted = |a: &Record, b: &Record| (a.age, &a.name) <= (b.age, &b.name);
    assert!(records.windows(2).all(|pair| is_sorted(&pair[0], &pair[1])));
    let youngest = records[0].age;
    records.par_sort_unstable_by_key(|record| std::cmp::Reverse(record.points));
    assert!(records.windows(2).all(|pair| pair[0].points >= pair[1].points));
    u64::from(youngest) + u64::from(records[records.len() / 2].points)
}

/// How often records were compared.
static mut COMPARED: u64 = 0;

/// The mistake: comparisons are counted in a plain variable.
pub fn racy(size: Size) -> u64 {
    let mut records = records(size);
    records.par_sort_by(|a, b| {
        // SAFETY: none, that is the mistake.
        unsafe { COMPARED += 1 } // race: others compare, too
        a.points.cmp(&b.points)
    });
    u64::from(records[0].points)
}

fn records(size: Size) -> Vec<Record> {
    let mut random = Random::new(22);
    (0..size.pick(5_000, 120_000))
        .map(|_| {
            let points = random.next() as u32;
            let age = random.below(100) as u8;
            Record { name: format!("{:x}", random.below(1_000_000)), age, points }
        })
        .collect()
}
