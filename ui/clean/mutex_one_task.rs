//! A lock that only one task of a region takes, and the caller before and after: nothing depends
//! on the schedule.

use std::sync::Mutex;

fn main() {
    let log = Mutex::new(vec![0]);
    rayon::join(
        || {
            for item in 1..4 {
                log.lock().expect("nobody panics").push(item);
            }
        },
        || (0..4).sum::<i32>(),
    );
    log.lock().expect("nobody panics").push(4);
    assert_eq!(log.into_inner().expect("nobody panicked"), [0, 1, 2, 3, 4]);
}
