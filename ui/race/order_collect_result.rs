//! Collecting into a `Result` when several items fail: which error is returned depends on the
//! schedule.

use rayon::prelude::*;

fn main() {
    let checked = |item: u32| if item % 5 == 3 { Err(item) } else { Ok(item) };
    let results = (0..16_u32).into_par_iter().map(checked);
    let all = results.collect::<Result<Vec<u32>, u32>>(); //~ order 1
    assert!(all.is_err_and(|item| [3, 8, 13].contains(&item)));
}
