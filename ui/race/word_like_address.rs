//! A thread-local variable leads to a word that is no address, but has the low bits of one: it is not
//! followed.

use std::cell::RefCell;

use shared::Shared;

thread_local! {
    static WORDS: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

fn main() {
    let mut numbers = vec![0_u64; 8];
    let number = Shared::slice(&mut numbers);
    WORDS.with_borrow_mut(|words| words.push(number.get() as usize & ((1 << 44) - 1)));
    rayon::join(
        // SAFETY: the vector outlives the join; the conflict is what is tested.
        || unsafe { *number.at(1) = 1 }, //~ race 1
        // SAFETY: as above.
        || unsafe { *number.at(1) = 1 }, //~ race 1
    );
    assert_eq!(numbers[1], 1);
}
