//! Quicksort in place: the pivot belongs to neither part.

fn sort(values: &mut [u32]) {
    if values.len() < 2 {
        return;
    }
    let last = values.len() - 1;
    let mut pivot = 0;
    for index in 0..last {
        if values[index] < values[last] {
            values.swap(index, pivot);
            pivot += 1;
        }
    }
    values.swap(pivot, last);
    let (left, right) = values.split_at_mut(pivot);
    rayon::join(|| sort(left), || sort(&mut right[1..]));
}

fn main() {
    let mut values: Vec<u32> = (0..64).map(|index| index * 37 % 64).collect();
    sort(&mut values);
    assert!(values.into_iter().eq(0..64));
}
