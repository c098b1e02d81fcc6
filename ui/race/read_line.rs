//! Reading a line looks for its end: another task writes to the text.

use std::io::BufRead;

use shared::Shared;

fn main() {
    let mut text = *b"first line\nsecond line\n";
    let byte = Shared::slice(&mut text);
    let rest = || {
        // SAFETY: within the text, which outlives the tasks; the conflict is what is tested.
        unsafe { std::slice::from_raw_parts(byte.get(), 23) }
    };
    rayon::join(
        || {
            let mut line = String::new();
            rest().read_line(&mut line).expect("it is text"); //~ race 1
            assert_eq!(line, "first line\n");
        },
        || {
            // SAFETY: as above. This byte is the last that is looked at.
            unsafe { *byte.at(10) = b'\n' } //~ race 1
        },
    );
    rayon::join(
        || {
            let mut line = String::new();
            rest().read_line(&mut line).expect("it is text"); //~ race 2
        },
        || {
            // SAFETY: as above. This byte is the first of the second line: the library looks for the end of the
            // first one a few bytes at a time.
            unsafe { *byte.at(11) = b'S' } //~ race 2
        },
    );
}
