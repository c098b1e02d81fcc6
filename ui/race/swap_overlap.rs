//! Two tasks swap ranges, and one element belongs to both.

use shared::Shared;

fn main() {
    let mut values: Vec<u32> = (0..12).collect();
    let value = Shared::slice(&mut values);
    rayon::join(
        || {
            // SAFETY: the elements 0 to 5 are in bounds; the conflict is what is tested.
            unsafe { std::ptr::swap_nonoverlapping(value.at(0), value.at(3), 3) } //~ race 1
        },
        || {
            // SAFETY: so are the elements 5 and 11.
            unsafe { std::ptr::swap(value.at(5), value.at(11)) } //~ race 1
        },
    );
    values.sort_unstable();
    assert_eq!(values.len(), 12);
}
