//! A buffer is taken out of a thread-local while it is used, and put back. Each worker has its own, so
//! this is no race. Today one is reported: when the conflict is judged, no thread-local leads to the buffer.

use std::cell::Cell;

thread_local! {
    static SPARE: Cell<Option<Box<u32>>> = const { Cell::new(None) };
}

fn use_spare(number: u32) {
    let spare = if let Some(mut spare) = SPARE.take() {
        *spare += number; //~ race 1
        spare
    } else {
        Box::new(number) //~ race 1
    };
    SPARE.set(Some(spare));
}

fn main() {
    rayon::join(|| use_spare(1), || use_spare(2));
}
