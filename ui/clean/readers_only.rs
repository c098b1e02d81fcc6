//! Many tasks read one table, which the caller filled before and changes afterwards.

use rayon::prelude::*;

fn main() {
    let mut table: Vec<u32> = (0..8).map(|index| index * index).collect();
    let sum: u32 = (0..32_usize).into_par_iter().map(|index| table[index % 8]).sum();
    assert_eq!(sum, 560);
    table.push(1);
    table[0] = 1;
    assert_eq!(table.len(), 9);
}
