//! What a task library does on behalf of the program that is right by agreement: contributions to an
//! accumulator, whose operator is commutative. Accesses are not looked at meanwhile; blocks still come
//! and go.

use std::cell::Cell;

use crate::checked;
use crate::shadow;
#[cfg(not(rosser_parallel))]
use crate::shadow::{hot, set_hot};

thread_local! {
    static UNDER_WAY: Cell<bool> = const { Cell::new(false) };
}

/// Whether the calling thread, which is the one that is checked, does something unseen.
#[inline]
pub fn is_under_way() -> bool {
    UNDER_WAY.with(Cell::get)
}

/// As long as it lives, nothing is seen of what the calling thread does, not even blocks that come and
/// go: the runtime itself uses the heap.
#[cfg(not(rosser_parallel))]
pub struct Pause {
    was_on: bool,
    base: u32,
    was_under_way: bool,
}

#[cfg(not(rosser_parallel))]
impl Pause {
    pub fn begin() -> Self {
        let (mask, base) = hot();
        set_hot(false, 0);
        let was_under_way = UNDER_WAY.with(|under_way| under_way.replace(false));
        Self { was_on: mask != 0, base, was_under_way }
    }
}

#[cfg(not(rosser_parallel))]
impl Drop for Pause {
    fn drop(&mut self) {
        UNDER_WAY.with(|under_way| under_way.set(self.was_under_way));
        set_hot(self.was_on, self.base);
    }
}

/// Something unseen begins. Returns whether it did: then it has to be ended.
#[unsafe(no_mangle)]
pub extern "C" fn rosser_unseen_begin() -> bool {
    let begins = checked::if_on().is_some();
    if begins {
        UNDER_WAY.with(|under_way| under_way.set(true));
        shadow::look_away();
    }
    begins
}

/// It ends.
#[unsafe(no_mangle)]
pub extern "C" fn rosser_unseen_end() {
    if let Some(checked) = checked::if_owner() {
        UNDER_WAY.with(|under_way| under_way.set(false));
        checked.refresh();
    }
}

/// It ends, if it began.
#[unsafe(no_mangle)]
pub extern "C" fn rosser_unseen_end_if(began: bool) {
    if began {
        rosser_unseen_end();
    }
}
