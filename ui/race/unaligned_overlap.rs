//! Two unaligned words that overlap by one byte, at an address that is a multiple of eight.

use shared::Shared;

#[repr(align(64))]
struct Buffer([u8; 64]);

fn main() {
    let mut buffer = Buffer([0; 64]);
    let byte = Shared::slice(&mut buffer.0);
    rayon::join(
        || {
            // SAFETY: the bytes 1 to 8 are within the buffer; the conflict is what is tested.
            unsafe { byte.at(1).cast::<u64>().write_unaligned(u64::MAX) } //~ race 1
        },
        || {
            // SAFETY: so are the bytes 8 to 11.
            unsafe { byte.at(8).cast::<u32>().write_unaligned(0) } //~ race 1
        },
    );
    assert_eq!(buffer.0[0..2], [0, 255]);
}
