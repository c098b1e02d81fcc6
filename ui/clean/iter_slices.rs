//! Views of slices: chunks, windows, runs and splits, shared and mutable.

use rayon::prelude::*;

fn main() {
    let mut values: Vec<u32> = (0..16).collect();
    let windows: u32 = values.par_windows(3).map(|window| window[2] - window[0]).sum();
    assert_eq!(windows, 28);
    values.par_chunks_mut(5).for_each(|chunk| chunk.reverse());
    values.par_rchunks_mut(3).for_each(|chunk| chunk[0] += 1);
    values.par_chunks_exact_mut(4).for_each(|chunk| chunk.rotate_left(1));
    assert_eq!(values.par_chunks(6).map(<[u32]>::len).max(), Some(6));
    assert_eq!(values.par_chunks_exact(6).map(<[u32]>::len).min(), Some(6));
    assert_eq!(values.par_rchunks(6).count(), 3);
    values.par_split_mut(|value| value % 5 == 0).for_each(|part| part.fill(1));
    values.par_sort_unstable();
    values.par_chunk_by_mut(|a, b| a == b).for_each(|run| run[0] = 0);
    assert!(values.par_split(|&value| value == 0).count() > 1);
    assert!(values.par_chunk_by(|a, b| a == b).count() > 1);
}
