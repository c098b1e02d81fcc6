//! Looking a string up compares it with those of the set: another task changes one of these.

use std::collections::{BTreeSet, HashSet};

use shared::Shared;

/// A string, and one of its letters.
fn word(text: &str) -> (String, Shared<u8>) {
    let mut word = text.to_owned();
    // SAFETY: the letters stay ASCII; the conflict is what is tested.
    let letter = Shared::slice(unsafe { word.as_bytes_mut() });
    (word, letter)
}

fn main() {
    let (one, letter) = word("some longer word");
    let set = HashSet::from([one]);
    rayon::join(
        || assert!(set.contains("some longer word")), //~ race 1
        || {
            // SAFETY: the set does not move what its strings point to.
            unsafe { *letter.get() = b's' } //~ race 1
        },
    );
    let (one, letter) = word("some longer word");
    let set = BTreeSet::from([one]);
    rayon::join(
        || {
            // SAFETY: as above.
            unsafe { *letter.get() = b's' } //~ race 2
        },
        || assert!(set.contains("some longer word")), //~ race 2
    );
}
