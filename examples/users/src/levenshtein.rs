//! How different many pairs of words are.

use rayon::prelude::*;

use crate::size::Size;
use crate::text;
use crate::unsafe_slice::UnsafeSlice;

/// Compares all words with some of them; only a word itself is no different.
pub fn run(size: Size) -> u64 {
    let (count, others) = size.pick((60, 20), (1_500, 700));
    let words = text::vocabulary(count);
    let distances: Vec<usize> = words
        .par_iter()
        .flat_map_iter(|word| words[..others].iter().map(move |other| (word, other)))
        .map(|(word, other)| distance(word.as_bytes(), other.as_bytes(), &mut Vec::new()))
        .collect();
    for (i, row) in distances.chunks(others).enumerate() {
        for (j, &distance) in row.iter().enumerate() {
            assert_eq!(distance == 0, words[i] == words[j]);
        }
    }
    distances.iter().sum::<usize>() as u64
}

/// Row by row; the vector is for the row.
fn distance(a: &[u8], b: &[u8], row: &mut Vec<usize>) -> usize {
    row.clear();
    row.extend(0..=b.len());
    for (i, a) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in b.iter().enumerate() {
            let changed = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// The mistake: there is one vector for the rows of all.
pub fn racy(size: Size) -> u64 {
    let count = size.pick(60, 1_500);
    let words = text::vocabulary(count);
    let mut row = vec![0_usize; 16];
    let shared = UnsafeSlice::new(&mut row);
    let same = |word: &String| {
        let (a, b) = (word.as_bytes(), words[0].as_bytes());
        for j in 0..=b.len() {
            // SAFETY: none, that is the mistake.
            unsafe { *shared.get(j) = j } // race: others have their row there
        }
        for a in a {
            for (j, b) in b.iter().enumerate() {
                // SAFETY: none, as above.
                unsafe { *shared.get(j + 1) += usize::from(a != b) } // race: as above
            }
        }
        // SAFETY: none, as above.
        unsafe { *shared.get(b.len()) } // race: as above
    };
    words.par_iter().filter(|word| same(word) == 0).count() as u64
}
