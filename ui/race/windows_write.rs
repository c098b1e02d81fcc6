//! The items of `par_windows` only read the slice they look at. What they write is another
//! matter: each result here is made from its neighbour's.

use rayon::prelude::*;
use shared::Shared;

fn main() {
    let mut output = vec![1_u32; 9];
    let cell = Shared::slice(&mut output);
    let input: Vec<u32> = (0..10).collect();
    input.par_windows(3).enumerate().for_each(|(index, window)| {
        let sum: u32 = window.iter().sum();
        // SAFETY: the indices are at most 8; the conflict is what is tested.
        unsafe { *cell.at(index) = sum + *cell.at(index + 1) } //~ race 1
    });
    assert_eq!(output[8], 1);
}
