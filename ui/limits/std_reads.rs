//! Known miss: std's own, not generic code comes compiled and is not instrumented. Parsing a
//! float reads the text there, so a parallel write to the text goes unseen.

use std::hint::black_box;

use shared::Shared;

fn main() {
    let mut digits = *b"1.25";
    let digit = Shared::slice(&mut digits);
    rayon::join(
        || {
            // SAFETY: these are digits at all times. This does race, and is not seen.
            let bytes = unsafe { std::slice::from_raw_parts(digit.get(), 4) };
            // SAFETY: as above.
            let text = unsafe { std::str::from_utf8_unchecked(bytes) };
            black_box(text.parse::<f64>().expect("it is a number"));
        },
        || {
            // SAFETY: as above.
            unsafe { *digit.at(3) = b'7' }
        },
    );
    assert_eq!(&digits, b"1.27");
}
