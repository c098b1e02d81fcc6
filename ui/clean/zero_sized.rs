//! Values without a size have addresses and no memory: writing them conflicts with nothing.

use rayon::prelude::*;
use shared::Shared;

#[derive(Clone, Copy, Default)]
struct Nothing;

fn main() {
    let mut neighbours = (0_u64, Nothing, 0_u64);
    let nothing = Shared::new(&mut neighbours.1);
    (0..8_u64).into_par_iter().for_each(|_| {
        // SAFETY: a write of nothing.
        unsafe { nothing.get().write(Nothing) }
    });
    let units: Vec<Nothing> = (0..8).into_par_iter().map(|_| Nothing).collect();
    let boxes: Vec<Box<Nothing>> = units.par_iter().copied().map(Box::new).collect();
    let arrays: [[u64; 0]; 8] = [[]; 8];
    assert_eq!(arrays.par_iter().map(|array| array.len()).sum::<usize>(), 0);
    assert_eq!(units.len() + boxes.len(), 16);
}
