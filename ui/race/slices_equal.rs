//! Comparing slices reads both: one task compares while another writes to one of them.

use std::cmp::Ordering;
use std::hint::black_box;

use shared::Shared;

fn main() {
    let mut bytes = vec![7_u8; 100];
    let same = bytes.clone();
    let byte = Shared::slice(&mut bytes);
    let slice = |len| {
        // SAFETY: within the vector, which outlives the tasks; the conflict is what is tested.
        unsafe { std::slice::from_raw_parts(byte.get(), black_box(len)) }
    };
    rayon::join(
        || assert!(slice(100) == same), //~ race 1
        || {
            // SAFETY: as above.
            unsafe { *byte.at(60) = 7 } //~ race 1
        },
    );
    rayon::join(
        || {
            // SAFETY: as above.
            unsafe { *byte.at(49) = 8 } //~ race 2
        },
        || assert_eq!(slice(50).cmp(&same[..50]), Ordering::Greater), //~ race 2
    );
}
