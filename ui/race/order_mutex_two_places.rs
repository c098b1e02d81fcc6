//! Two tasks take one lock at two places: the finding names both.

use std::sync::Mutex;

fn main() {
    let last = Mutex::new(0_u32);
    rayon::join(
        || {
            *last.lock().expect("nobody panics") = 1; //~ order 1
        },
        || {
            *last.lock().expect("nobody panics") = 2; //~ order 1
        },
    );
    assert!(last.into_inner().is_ok_and(|last| last == 1 || last == 2));
}
