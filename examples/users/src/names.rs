//! Names that begin with some letters, in capitals: `filter`, `map`, `collect`.

use rayon::prelude::*;

use crate::size::Size;
use crate::text;

/// Filters, and checks with what is left out.
pub fn run(size: Size) -> u64 {
    let (count, rounds) = size.pick((3_000, 2), (200_000, 8));
    let names = text::vocabulary(count);
    let mut chosen = Vec::new();
    for _ in 0..rounds {
        chosen = names
            .par_iter()
            .filter(|name| name.starts_with(|letter: char| letter > 'm'))
            .map(|name| name.to_uppercase())
            .collect::<Vec<String>>();
    }
    let others = names.iter().filter(|name| name.as_bytes()[0] <= b'm').count();
    assert_eq!(chosen.len() + others, names.len());
    assert!(chosen.iter().all(|name| name.as_bytes()[0] > b'M'));
    chosen.iter().map(|name| name.len() as u64).sum()
}
