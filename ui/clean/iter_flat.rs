//! Parallel iterators inside parallel iterators, flattened, and serial ones inside parallel ones.

use rayon::prelude::*;

fn main() {
    let rows: Vec<Vec<u32>> = (0..4).map(|row| vec![row; 4]).collect();
    assert_eq!(rows.par_iter().flatten().sum::<u32>(), 24);
    assert_eq!(rows.par_iter().flatten_iter().sum::<u32>(), 24);
    let pairs = || (0..4_u32).into_par_iter();
    let nested: Vec<u32> =
        pairs().flat_map(|a| (0..3_u32).into_par_iter().map(move |b| a * 3 + b)).collect();
    assert!(nested.into_iter().eq(0..12));
    let serial: Vec<u32> = pairs().flat_map_iter(|a| (0..3).map(move |b| a * 3 + b)).collect();
    assert!(serial.into_iter().eq(0..12));
    let tree = rayon::iter::walk_tree_prefix(1_u32, |&node| {
        (node < 8).then_some([node * 2, node * 2 + 1]).into_iter().flatten()
    });
    assert_eq!(tree.count(), 15);
}
