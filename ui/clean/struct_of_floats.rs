//! Vectors of three floats, 12 bytes each, updated one per task: neighbours share words.

use rayon::prelude::*;

#[derive(Clone, Copy, PartialEq, Debug)]
struct Vector([f32; 3]);

fn main() {
    let mut vectors = [Vector([1.0, 2.0, 3.0]); 9];
    vectors.par_iter_mut().for_each(|vector| {
        let Vector([x, y, z]) = *vector;
        *vector = Vector([z, x, y]);
    });
    assert_eq!(vectors, [Vector([3.0, 1.0, 2.0]); 9]);
}
