//! Parsing a float reads the text in the standard library's compiled part, which another task writes.

use std::hint::black_box;

use shared::Shared;

fn main() {
    let mut digits = *b"1.25";
    let digit = Shared::slice(&mut digits);
    rayon::join(
        || {
            // SAFETY: these are digits at all times. The conflict is what is tested.
            let bytes = unsafe { std::slice::from_raw_parts(digit.get(), 4) };
            // SAFETY: as above.
            let text = unsafe { std::str::from_utf8_unchecked(bytes) };
            black_box(text.parse::<f64>().expect("it is a number")); //~ race 1
        },
        || {
            // SAFETY: as above.
            unsafe { *digit.at(3) = b'7' } //~ race 1
        },
    );
    assert_eq!(&digits, b"1.27");
}
