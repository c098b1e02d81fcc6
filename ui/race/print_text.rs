//! Printing a text reads it: another task writes to it.

use std::io::{self, Write};

use shared::Shared;

fn main() {
    let mut text = "neither here nor there\n".to_owned();
    // SAFETY: the letters stay ASCII; the conflict is what is tested.
    let letter = Shared::slice(unsafe { text.as_bytes_mut() });
    rayon::join(
        || print!("{text}"), //~ race 1
        || {
            // SAFETY: as above.
            unsafe { *letter.at(22) = b'\n' } //~ race 1
        },
    );
    rayon::join(
        || {
            // SAFETY: as above.
            unsafe { *letter.at(5) = b'e' } //~ race 2
        },
        || io::stderr().write_all(text.as_bytes()).expect("it can be written"), //~ race 2
    );
}
