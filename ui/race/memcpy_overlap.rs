//! Two copies whose targets share one byte, and a copy whose source is written by another task.

use shared::Shared;

fn main() {
    let source = [7_u8; 40];
    let mut buffer = [0_u8; 100];
    let byte = Shared::slice(&mut buffer);
    let from = source.as_ptr() as usize;
    rayon::join(
        || {
            // SAFETY: all ranges are in bounds; the conflict is what is tested.
            unsafe { std::ptr::copy_nonoverlapping(from as *const u8, byte.at(3), 37) } //~ race 1
        },
        || {
            // SAFETY: as above. Byte 39 is the last of the other copy.
            unsafe { std::ptr::copy_nonoverlapping(from as *const u8, byte.at(39), 33) } //~ race 1
        },
    );
    assert_eq!(buffer[3..72], [7; 69]);
    rayon::join(
        || {
            // SAFETY: as above.
            unsafe { std::ptr::copy_nonoverlapping(byte.at(0), byte.at(50), 20) } //~ race 2
        },
        || {
            // SAFETY: as above. Byte 19 is the last that the other task reads.
            unsafe { *byte.at(19) = 1 } //~ race 2
        },
    );
    assert_eq!(buffer[19], 1);
}
