//! Unaligned accesses of all widths, side by side: each begins where the other ends.

use shared::Shared;

#[repr(align(64))]
struct Buffer([u8; 64]);

fn main() {
    let mut buffer = Buffer([0; 64]);
    let byte = Shared::slice(&mut buffer.0);
    rayon::scope(|scope| {
        // SAFETY of these blocks: the ranges 1..9, 9..11, 11..27, 27..31 and 31..32 are within
        // the buffer and disjoint.
        scope.spawn(|_| unsafe { byte.at(1).cast::<u64>().write_unaligned(u64::MAX) });
        scope.spawn(|_| unsafe { byte.at(9).cast::<u16>().write_unaligned(u16::MAX) });
        scope.spawn(|_| unsafe { byte.at(11).cast::<u128>().write_unaligned(u128::MAX) });
        scope.spawn(|_| unsafe { byte.at(27).cast::<u32>().write_unaligned(u32::MAX) });
        scope.spawn(|_| unsafe { byte.at(31).write(u8::MAX) });
    });
    assert_eq!(buffer.0[0], 0);
    assert_eq!(buffer.0[1..32], [u8::MAX; 31]);
    assert_eq!(buffer.0[32], 0);
}
