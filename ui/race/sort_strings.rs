//! Sorting strings compares what they are made of: another task changes a letter.

use std::hint::black_box;

use shared::Shared;

fn main() {
    let mut words: Vec<String> =
        ["delta", "alpha", "echo", "bravo", "charlie"].map(str::to_owned).into();
    // SAFETY: the letters stay ASCII; the conflict is what is tested.
    let letter = Shared::slice(unsafe { words[3].as_bytes_mut() });
    rayon::join(
        || {
            words.sort_unstable(); //~ race 1
            // Not the last call, which would take the place of this function's frame.
            black_box(&words);
        },
        || {
            // SAFETY: strings are moved by sorting, not their letters.
            unsafe { *letter.get() = b'b' } //~ race 1
        },
    );
    assert_eq!(words[0], "alpha");
}
