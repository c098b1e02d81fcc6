//! A scope's body spawns a task while it holds the lock that the task needs. With threads to
//! spare the task waits until the body goes on; in serial order the body waits for the task.
//@ stopped: blocked

use std::sync::Mutex;

fn main() {
    let value = Mutex::new(1_u32);
    rayon::scope(|scope| {
        let mut guard = value.lock().expect("nobody panics");
        scope.spawn(|_| *value.lock().expect("nobody panics") += 1);
        *guard *= 10;
        drop(guard);
    });
}
