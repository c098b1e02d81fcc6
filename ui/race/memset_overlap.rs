//! Two fills whose ranges share one byte.

use shared::Shared;

fn main() {
    let mut buffer = [0_u8; 256];
    let byte = Shared::slice(&mut buffer);
    rayon::join(
        || {
            // SAFETY: both ranges are in bounds; the conflict is what is tested.
            unsafe { byte.at(5).write_bytes(1, 96) } //~ race 1
        },
        || {
            // SAFETY: as above. Byte 100 is the last of the other fill.
            unsafe { byte.at(100).write_bytes(1, 100) } //~ race 1
        },
    );
    assert_eq!(buffer.iter().map(|&byte| u32::from(byte)).sum::<u32>(), 195);
}
