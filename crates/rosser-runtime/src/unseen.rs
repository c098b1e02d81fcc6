//! What a task library does on behalf of the program that is right by agreement: contributions to an
//! accumulator, whose operator is commutative. Accesses are not looked at meanwhile; blocks still come
//! and go.

use std::cell::Cell;

use crate::checked;
use crate::shadow::set_hot;

thread_local! {
    static UNDER_WAY: Cell<bool> = const { Cell::new(false) };
}

/// Whether the calling thread, which is the one that is checked, does something unseen.
#[inline]
pub fn is_under_way() -> bool {
    UNDER_WAY.with(Cell::get)
}

/// Something unseen begins. Returns whether it did: then it has to be ended.
#[unsafe(no_mangle)]
pub extern "C" fn rosser_unseen_begin() -> bool {
    let begins = checked::if_on().is_some();
    if begins {
        UNDER_WAY.with(|under_way| under_way.set(true));
        set_hot(false, 0);
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
