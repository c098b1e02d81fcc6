//! Merge sort with a buffer that is split along with the values.
//@ whole

fn sort(values: &mut [u32], buffer: &mut [u32]) {
    if values.len() < 2 {
        return;
    }
    let middle = values.len() / 2;
    {
        let (left, right) = values.split_at_mut(middle);
        let (left_buffer, right_buffer) = buffer.split_at_mut(middle);
        rayon::join(|| sort(left, left_buffer), || sort(right, right_buffer));
    }
    buffer.copy_from_slice(values);
    let (mut left, mut right) = buffer.split_at(middle);
    for value in values {
        let from = match (left, right) {
            ([], _) => &mut right,
            (_, []) => &mut left,
            ([a, ..], [b, ..]) => {
                if a <= b {
                    &mut left
                } else {
                    &mut right
                }
            }
        };
        *value = from[0];
        *from = &from[1..];
    }
}

fn main() {
    let mut values: Vec<u32> = (0..64).map(|index| index * 37 % 64).collect();
    sort(&mut values, &mut [0; 64]);
    assert!(values.into_iter().eq(0..64));
}
