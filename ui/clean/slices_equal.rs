//! Tasks compare parts of a vector while another writes to a part that is not compared.

use std::hint::black_box;

use shared::Shared;

fn main() {
    let mut bytes = vec![7_u8; 100];
    let same = bytes.clone();
    let byte = Shared::slice(&mut bytes);
    let slice = |len| {
        // SAFETY: within the vector, which outlives the tasks.
        unsafe { std::slice::from_raw_parts(byte.get(), black_box(len)) }
    };
    rayon::join(
        || {
            let compare = || assert!(slice(61) == &same[..61]);
            rayon::join(compare, compare);
        },
        || {
            // SAFETY: as above.
            unsafe { *byte.at(61) = 8 }
        },
    );
    assert_eq!(bytes[61], 8);
}
