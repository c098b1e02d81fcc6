//! What a task library does on behalf of the program that is right by agreement: contributions to an
//! accumulator, whose operator is commutative. Accesses are not looked at meanwhile; blocks still come
//! and go.

use rosser_abi::executor::signature;

use crate::checked;

const _: signature::rosser_unseen_begin = rosser_unseen_begin;
const _: signature::rosser_unseen_end = rosser_unseen_end;

/// Something unseen begins. Returns whether it did: then it has to be ended.
#[unsafe(no_mangle)]
pub extern "C" fn rosser_unseen_begin() -> bool {
    let checked = checked::if_on();
    let begins = checked.is_some();
    if let Some(checked) = checked {
        checked.begin_unseen();
    }
    begins
}

/// What is unseen ends: accesses are looked at again.
#[unsafe(no_mangle)]
pub extern "C" fn rosser_unseen_end() {
    if let Some(checked) = checked::if_owner() {
        checked.end_unseen();
    }
}

/// The same, if it began.
#[unsafe(no_mangle)]
pub extern "C" fn rosser_unseen_end_if(began: bool) {
    if began {
        rosser_unseen_end();
    }
}
