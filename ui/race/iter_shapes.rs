//! Adaptors that change which items there are and in what order (`rev`, `step_by`, `chain`,
//! `zip`, `enumerate`, `chunks`, `skip`, `take`, `cloned`, `interleave`, `flat_map`,
//! `with_min_len`) leave the items parallel.

use rayon::prelude::*;
use shared::Shared;

fn main() {
    let mut cells = [0_usize; 12];
    let cell = Shared::slice(&mut cells);
    let items: Vec<usize> = (0..8).collect();
    let numbers = || items.par_iter().cloned();
    numbers().rev().for_each(|item| {
        // SAFETY of this block and of those below: the cells outlive the iterators, and each
        // conflicts with itself only, which is what is tested.
        unsafe { *cell.at(0) = item } //~ race 1
    });
    numbers().step_by(2).for_each(|item| {
        // SAFETY: as above.
        unsafe { *cell.at(1) = item } //~ race 2
    });
    rayon::iter::once(1).chain(rayon::iter::once(2)).for_each(|item| {
        // SAFETY: as above.
        unsafe { *cell.at(2) = item } //~ race 3
    });
    numbers().zip(numbers()).for_each(|(item, _)| {
        // SAFETY: as above.
        unsafe { *cell.at(3) = item } //~ race 4
    });
    numbers().enumerate().for_each(|(index, _)| {
        // SAFETY: as above.
        unsafe { *cell.at(4) = index } //~ race 5
    });
    numbers().chunks(3).for_each(|chunk| {
        // SAFETY: as above.
        unsafe { *cell.at(5) = chunk[0] } //~ race 6
    });
    numbers().skip(2).take(2).for_each(|item| {
        // SAFETY: as above.
        unsafe { *cell.at(6) = item } //~ race 7
    });
    items.par_iter().copied().for_each(|item| {
        // SAFETY: as above.
        unsafe { *cell.at(7) = item } //~ race 8
    });
    numbers().interleave(numbers()).for_each(|item| {
        // SAFETY: as above.
        unsafe { *cell.at(8) = item } //~ race 9
    });
    numbers().flat_map(|item| [item, item]).for_each(|item| {
        // SAFETY: as above.
        unsafe { *cell.at(9) = item } //~ race 10
    });
    numbers().with_min_len(4).for_each(|item| {
        // SAFETY: as above.
        unsafe { *cell.at(10) = item } //~ race 11
    });
    numbers().filter(|item| *item > 5).for_each(|item| {
        // SAFETY: as above.
        unsafe { *cell.at(11) = item } //~ race 12
    });
    assert!(cells.iter().all(|&item| item < 8));
}
