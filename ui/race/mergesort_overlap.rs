//! A merge sort whose halves overlap by one element.

use shared::Shared;

const LEN: usize = 16;

fn sort(values: Shared<u32>, from: usize, to: usize) {
    if to - from < 4 {
        for end in from..to {
            for index in (from..end).rev() {
                // SAFETY: the range is within the array; the conflict is what is tested.
                unsafe { order(values.at(index), values.at(index + 1)) }
            }
        }
        return;
    }
    let middle = usize::midpoint(from, to);
    // One too far: the element in the middle belongs to both halves.
    rayon::join(|| sort(values, from, middle + 1), || sort(values, middle, to));
}

/// Puts two neighbours in order.
///
/// # Safety
/// Both must be alive.
#[inline(never)]
unsafe fn order(left: *mut u32, right: *mut u32) {
    // SAFETY: the caller's promise.
    unsafe { (*left, *right) = ((*left).min(*right), (*left).max(*right)) } //~ race 1
}

fn main() {
    let mut values: Vec<u32> = (0..16).rev().collect();
    sort(Shared::slice(&mut values), 0, LEN);
    assert_eq!(values.len(), LEN);
}
