//! What the checked thread does that is not looked at.

use std::cell::Cell;

use super::cells::{hot, set_hot};

thread_local! {
    static UNDER_WAY: Cell<bool> = const { Cell::new(false) };
}

/// Whether the calling thread, which is the one that is checked, does something unseen.
#[inline]
pub fn is_under_way() -> bool {
    UNDER_WAY.with(Cell::get)
}

/// Something unseen begins or ends.
pub fn set_under_way(is_under_way: bool) {
    UNDER_WAY.with(|under_way| under_way.set(is_under_way));
}

/// As long as it lives, nothing is seen of what the calling thread does, not even blocks that come and
/// go: the runtime itself uses the heap.
pub struct Pause {
    was_on: bool,
    base: u32,
    was_under_way: bool,
}

impl Pause {
    pub fn begin() -> Self {
        let (mask, base) = hot();
        set_hot(false, 0);
        let was_under_way = UNDER_WAY.with(|under_way| under_way.replace(false));
        Self { was_on: mask != 0, base, was_under_way }
    }
}

impl Drop for Pause {
    fn drop(&mut self) {
        set_under_way(self.was_under_way);
        set_hot(self.was_on, self.base);
    }
}
