//! Copies, fills, moves and swaps of ranges that touch and do not overlap.

use shared::Shared;

fn main() {
    let mut buffer = [1_u8; 128];
    let (left, right) = buffer.split_at_mut(37);
    let source = [7_u8; 91];
    rayon::join(|| left.copy_from_slice(&source[..37]), || right.copy_from_slice(&source));
    assert_eq!(buffer, [7; 128]);

    let (left, right) = buffer.split_at_mut(61);
    rayon::join(|| left.fill(1), || right.fill(2));
    assert_eq!(buffer[60..62], [1, 2]);

    let (left, right) = buffer.split_at_mut(33);
    rayon::join(|| left.copy_within(8..33, 0), || right.copy_within(0..50, 45));
    assert_eq!(buffer[32..34], [1, 1]);

    let mut values: Vec<u32> = (0..12).collect();
    let value = Shared::slice(&mut values);
    rayon::join(
        // SAFETY of both blocks: the elements 0 to 5 are one task's, 6 to 11 the other's.
        || unsafe { std::ptr::swap_nonoverlapping(value.at(0), value.at(3), 3) },
        || unsafe { std::ptr::swap_nonoverlapping(value.at(6), value.at(9), 3) },
    );
    assert_eq!(values, [3, 4, 5, 0, 1, 2, 9, 10, 11, 6, 7, 8]);

    let (left, right) = values.split_at_mut(5);
    rayon::join(|| left.reverse(), || right.rotate_left(2));
    assert_eq!(values, [1, 0, 5, 4, 3, 10, 11, 6, 7, 8, 2, 9]);
}
