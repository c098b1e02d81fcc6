//! Parallel loops on several workers: their items are tasks.

use crate::checked::Checked;
use crate::forks::TaskFn;
use rosser_abi::executor::signature;

const _: signature::rosser_next_item = rosser_next_item;
const _: signature::rosser_has_items = rosser_has_items;

/// Whether items are told apart in leaves. Iterators are to be split into single items.
#[unsafe(no_mangle)]
pub extern "C" fn rosser_has_items() -> bool {
    false
}

/// Runs a leaf as part of the current task.
pub extern "C" fn leaf(body: TaskFn, data: *mut (), first: u64, _slot: usize) -> u64 {
    // SAFETY: by the caller's promise.
    unsafe { body(data) };
    first
}

/// An item of a leaf is over.
#[unsafe(no_mangle)]
pub extern "C" fn rosser_next_item() {}

/// A block begins. Nothing is carried from item to item.
pub fn note_birth(_checked: &mut Checked, _block: usize) {}
