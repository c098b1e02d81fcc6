//! A quicksort that leaves the pivot in both parts: one task reads it as its last element, the
//! other overwrites it as its first.

use shared::Shared;

/// Lomuto's partition; gives the place of the pivot.
fn partition(values: &mut [u32]) -> usize {
    let last = values.len() - 1;
    let mut place = 0;
    for index in 0..last {
        if values[index] < values[last] {
            values.swap(index, place);
            place += 1;
        }
    }
    values.swap(place, last);
    place
}

fn main() {
    let mut values: Vec<u32> = (0..32).map(|index| index * 13 % 32).collect();
    let pivot = partition(&mut values);
    let value = Shared::slice(&mut values);
    let sum = |from: usize, to: usize| {
        // SAFETY: the range is within the vector; the conflict is what is tested.
        (from..to).map(|index| unsafe { *value.at(index) }).sum::<u32>() //~ race 1
    };
    let (left, ()) = rayon::join(
        || sum(0, pivot + 1),
        || {
            // SAFETY: as above.
            unsafe { *value.at(pivot) = 99 } //~ race 1
        },
    );
    assert!(left > 0);
}
