//! `copy_within` moves bytes inside one task's part of a buffer, and reads one byte too many from
//! its neighbour's part, which the neighbour writes.

use shared::Shared;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Byte(u8);

fn main() {
    let mut buffer = [Byte(1); 64];
    let byte = Shared::slice(&mut buffer);
    rayon::join(
        || {
            // SAFETY: the range is in bounds; the conflict is what is tested.
            let part = unsafe { std::slice::from_raw_parts_mut(byte.at(0), 33) };
            part.copy_within(8..33, 0); //~ race 1
        },
        || {
            // SAFETY: as above.
            unsafe { *byte.at(32) = Byte(1) } //~ race 1
        },
    );
    assert_eq!(buffer, [Byte(1); 64]);
}
