//! Every task gets a clone of the state, or makes its own.

use rayon::prelude::*;

fn main() {
    let mut squares = vec![0_usize; 16];
    squares.par_iter_mut().enumerate().for_each_with(Vec::new(), |scratch, (index, square)| {
        scratch.clear();
        scratch.resize(index, index);
        *square = scratch.iter().sum();
    });
    assert_eq!(squares[15], 225);
    squares.par_iter_mut().for_each_init(String::new, |scratch, square| {
        scratch.clear();
        scratch.push_str(&square.to_string());
        *square = scratch.len();
    });
    assert_eq!(squares[15], 3);
}
