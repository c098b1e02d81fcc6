//! Where the scopes and slots of the program are that runs now. Scopes and slots have numbers of their own,
//! so tasks never write what another reads, but for what they hand to their own children.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::program::{SCOPES, SLOT_WORDS, SLOTS, Scope, Slot};

static SCOPE: [AtomicUsize; SCOPES] = [const { AtomicUsize::new(0) }; SCOPES];
/// 0 for those that do not exist now.
static SLOT: [AtomicUsize; SLOTS] = [const { AtomicUsize::new(0) }; SLOTS];

/// A scope is open, and is there.
// Relaxed, here and below: who asks is a child of who has told, and forking a task orders the two.
#[inline(never)]
pub fn set_scope(Scope(scope): Scope, at: usize) {
    SCOPE[scope].store(at, Relaxed);
}

/// Where an open scope is.
#[inline(never)]
pub fn scope(Scope(scope): Scope) -> usize {
    SCOPE[scope].load(Relaxed)
}

/// A slot is there, or at 0: nowhere any more.
#[inline(never)]
pub fn place_slot(Slot(slot): Slot, at: usize) {
    SLOT[slot].store(at, Relaxed);
}

/// Where a slot is.
#[inline(never)]
pub fn slot(Slot(slot): Slot) -> usize {
    SLOT[slot].load(Relaxed)
}

/// The slot that an address is in, if it is in one.
pub(crate) fn slot_around(address: usize) -> Option<(Slot, usize)> {
    SLOT.iter().enumerate().find_map(|(slot, start)| {
        let start = start.load(Relaxed);
        let offset = address.wrapping_sub(start);
        (start != 0 && offset < SLOT_WORDS * 8).then_some((Slot(slot), offset))
    })
}

/// Takes a while, so that other workers get something to do.
#[inline(never)]
pub fn pause(microseconds: u64) {
    let (started, enough) = (Instant::now(), Duration::from_micros(microseconds));
    while started.elapsed() < enough {
        std::thread::yield_now();
    }
}
