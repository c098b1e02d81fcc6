//! Destructors run in the tasks that own the values, and these write to one log.

use shared::Shared;

struct Guard {
    id: u32,
    log: Shared<u32>,
}

impl Drop for Guard {
    fn drop(&mut self) {
        // SAFETY: the log outlives the guards; the conflict is what is tested.
        unsafe { *self.log.get() = self.id } //~ race 1
    }
}

fn main() {
    let mut last = 0;
    let log = Shared::new(&mut last);
    let (first, second) = (Guard { id: 1, log }, Guard { id: 2, log });
    rayon::join(move || drop(first), move || drop(second));
    assert!(last == 1 || last == 2);
}
