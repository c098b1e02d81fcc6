//! What programs rely on while their tasks run on several workers: who is inside which pool, as
//! which of its threads, and what panics do.
//!
//! Tasks travel only in a build with `--cfg rosser_workers`; without it there is nothing to test.
#![cfg(rosser_workers)]

mod inline;
mod panics;
mod runtime;
mod travel;

use std::sync::{Condvar, Mutex};
use std::time::Duration;

use rayon_core::{ThreadPool, ThreadPoolBuilder};

fn pool(num_threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(num_threads).build().unwrap()
}

/// The number of the current thread in its pool, and how many that has.
fn place() -> (Option<usize>, usize) {
    (rayon_core::current_thread_index(), rayon_core::current_num_threads())
}

/// Something that happens once, and that others wait for. Tasks that wait for each other must be
/// on different threads.
#[derive(Default)]
struct Event {
    has_happened: Mutex<bool>,
    changed: Condvar,
}

impl Event {
    fn happen(&self) {
        *self.has_happened.lock().unwrap() = true;
        self.changed.notify_all();
    }

    fn wait(&self) {
        let guard = self.has_happened.lock().unwrap();
        // A test that fails must end.
        let patience = Duration::from_secs(60);
        let waited = self.changed.wait_timeout_while(guard, patience, |happened| !*happened);
        assert!(*waited.unwrap().0, "it never happens");
    }
}
