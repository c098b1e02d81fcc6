//! Atomic operations: carried out here, then told to the engine.
//!
//! The operation is done with sequential consistency, whatever was asked for: on one thread that
//! makes no difference to the program, and on several it is one of the things that may happen. What was asked
//! for decides what the operation orders. Meanwhile its word is held, so that operations are told in the order
//! in which they happen.
//!
//! An update whose old value the program goes on with is no accumulation: it commutes with nothing. The stage says so in
//! the memory order. Callbacks that a compiler has put in say nothing; then [`crate::old_value`] looks at what follows.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::SeqCst};

use rosser_abi::checks::{OLD_VALUE_UNUSED, OLD_VALUE_USED};
use rosser_detect::kind::Kind;
use rosser_detect::kind::Ordering;

use crate::backtrace::Here;
use crate::checked::{self, Held, hold};
use crate::entry::with_return_address;
use crate::old_value;

/// A memory order as compilers pass it.
pub type Order = i32;

const ACQUIRES: [bool; 6] = [false, true, true, false, true, true];
const RELEASES: [bool; 6] = [false, false, false, true, true, true];

pub fn ordering(order: Order) -> Ordering {
    // Higher bits carry hints that do not matter here.
    let order = (order & 0xff).clamp(0, 5) as usize;
    Ordering { acquires: ACQUIRES[order], releases: RELEASES[order] }
}

/// An operation that has been carried out.
pub struct Done {
    pub address: usize,
    pub size: usize,
    pub kind: Kind,
    pub ordering: Ordering,
    /// What was there before, but for a store, and what is there now.
    #[allow(dead_code, reason = "on one worker nothing hides")]
    pub old: u64,
    pub new: u64,
    /// Whether it was meant to change something and did not.
    #[allow(dead_code, reason = "on one worker nobody waits")]
    pub failed: bool,
}

#[inline]
pub fn tell<const SIZE: usize>(
    held: Held,
    address: usize,
    kind: Kind,
    [old, new]: [u64; 2],
    order: Order,
    slot: usize,
) {
    let ordering = ordering(order);
    let here = Here::returning_at(slot);
    let kind = if kind.accumulates() { kind_of_update(kind, order, here) } else { kind };
    let done = Done { address, size: SIZE, kind, ordering, old, new, failed: false };
    held.tell(&done, here);
}

/// What an update is that would be an accumulation if nobody saw its old value.
pub fn kind_of_update(kind: Kind, order: Order, here: Here) -> Kind {
    let is_used = match order & (OLD_VALUE_UNUSED | OLD_VALUE_USED) {
        0 => old_value::is_used(here),
        told => told != OLD_VALUE_UNUSED,
    };
    if is_used { Kind::Swap } else { kind }
}

/// An update that changed nothing.
#[inline]
fn tell_failure<const SIZE: usize>(
    held: Held,
    address: usize,
    value: u64,
    order: Order,
    slot: usize,
) {
    let (kind, ordering) = (Kind::Load, ordering(order));
    let done = Done { address, size: SIZE, kind, ordering, old: value, new: value, failed: true };
    held.tell(&done, Here::returning_at(slot));
}

/// Carries out a load that is like the last one of its step, if it is: then nothing need be held or told.
#[inline]
fn load_again<const SIZE: usize>(
    address: usize,
    order: Order,
    slot: usize,
    load: impl FnOnce() -> u64,
) -> Option<u64> {
    if ordering(order).acquires {
        return None;
    }
    checked::load_again(address, SIZE, slot, load)
}

macro_rules! of_width {
    ($width:ident, $atomic:ident, $int:ident, $bytes:literal,
     $load:ident, $store:ident, $exchange:ident, $add:ident, $sub:ident, $and:ident, $or:ident,
     $xor:ident, $nand:ident, $strong:ident, $weak:ident, $val:ident) => {
        mod $width {
            use super::{$atomic, Kind, Order, SeqCst, hold, tell, tell_failure};

            /// The place as an atomic.
            ///
            /// # Safety
            /// It is valid and used atomically, as the program says.
            unsafe fn at<'a>(place: *mut $int) -> &'a $atomic {
                // SAFETY: by the caller's promise.
                unsafe { $atomic::from_ptr(place) }
            }

            pub(super) unsafe extern "C" fn load(place: *mut $int, order: Order, slot: usize) -> $int {
                // SAFETY: the program's own access.
                let load = || unsafe { at(place) }.load(SeqCst);
                if let Some(value) =
                    super::load_again::<$bytes>(place as usize, order, slot, || load().into())
                {
                    return value as $int;
                }
                let held = hold(place as usize);
                let value = load();
                tell::<$bytes>(held, place as usize, Kind::Load, [value.into(); 2], order, slot);
                value
            }

            pub(super) unsafe extern "C" fn store(place: *mut $int, value: $int, order: Order, slot: usize) {
                let held = hold(place as usize);
                // SAFETY: the program's own access.
                unsafe { at(place) }.store(value, SeqCst);
                tell::<$bytes>(held, place as usize, Kind::Store, [value.into(); 2], order, slot);
            }

            pub(super) unsafe extern "C" fn exchange(place: *mut $int, value: $int, order: Order, slot: usize) -> $int {
                let held = hold(place as usize);
                // SAFETY: the program's own access.
                let old = unsafe { at(place) }.swap(value, SeqCst);
                let values = [old.into(), value.into()];
                tell::<$bytes>(held, place as usize, Kind::Swap, values, order, slot);
                old
            }

            pub(super) unsafe extern "C" fn add(place: *mut $int, value: $int, order: Order, slot: usize) -> $int {
                let held = hold(place as usize);
                // SAFETY: the program's own access.
                let old = unsafe { at(place) }.fetch_add(value, SeqCst);
                let values = [old.into(), (old.wrapping_add(value)).into()];
                tell::<$bytes>(held, place as usize, Kind::Add, values, order, slot);
                old
            }

            pub(super) unsafe extern "C" fn sub(place: *mut $int, value: $int, order: Order, slot: usize) -> $int {
                let held = hold(place as usize);
                // SAFETY: the program's own access.
                let old = unsafe { at(place) }.fetch_sub(value, SeqCst);
                let values = [old.into(), (old.wrapping_sub(value)).into()];
                tell::<$bytes>(held, place as usize, Kind::Add, values, order, slot);
                old
            }

            pub(super) unsafe extern "C" fn and(place: *mut $int, value: $int, order: Order, slot: usize) -> $int {
                let held = hold(place as usize);
                // SAFETY: the program's own access.
                let old = unsafe { at(place) }.fetch_and(value, SeqCst);
                let values = [old.into(), (old & value).into()];
                tell::<$bytes>(held, place as usize, Kind::And, values, order, slot);
                old
            }

            pub(super) unsafe extern "C" fn or(place: *mut $int, value: $int, order: Order, slot: usize) -> $int {
                let held = hold(place as usize);
                // SAFETY: the program's own access.
                let old = unsafe { at(place) }.fetch_or(value, SeqCst);
                let values = [old.into(), (old | value).into()];
                tell::<$bytes>(held, place as usize, Kind::Or, values, order, slot);
                old
            }

            pub(super) unsafe extern "C" fn xor(place: *mut $int, value: $int, order: Order, slot: usize) -> $int {
                let held = hold(place as usize);
                // SAFETY: the program's own access.
                let old = unsafe { at(place) }.fetch_xor(value, SeqCst);
                let values = [old.into(), (old ^ value).into()];
                tell::<$bytes>(held, place as usize, Kind::Xor, values, order, slot);
                old
            }

            pub(super) unsafe extern "C" fn nand(place: *mut $int, value: $int, order: Order, slot: usize) -> $int {
                let held = hold(place as usize);
                // SAFETY: the program's own access.
                let old = unsafe { at(place) }.fetch_nand(value, SeqCst);
                let values = [old.into(), (!(old & value)).into()];
                tell::<$bytes>(held, place as usize, Kind::Swap, values, order, slot);
                old
            }

            pub(super) unsafe extern "C" fn compare_exchange(
                place: *mut $int, expected: *mut $int, value: $int, order: Order, failure: Order, slot: usize,
            ) -> bool {
                // SAFETY: the program's own accesses.
                let wanted = unsafe { expected.read() };
                // SAFETY: as above.
                let found = unsafe { compare_exchange_val(place, wanted, value, order, failure, slot) };
                // SAFETY: as above.
                unsafe { expected.write(found) };
                found == wanted
            }

            pub(super) unsafe extern "C" fn compare_exchange_val(
                place: *mut $int, expected: $int, value: $int, order: Order, failure: Order, slot: usize,
            ) -> $int {
                let held = hold(place as usize);
                // SAFETY: the program's own access.
                match unsafe { at(place) }.compare_exchange(expected, value, SeqCst, SeqCst) {
                    Ok(old) => {
                        let values = [old.into(), value.into()];
                        tell::<$bytes>(held, place as usize, Kind::Swap, values, order, slot);
                        old
                    }
                    Err(found) => {
                        tell_failure::<$bytes>(held, place as usize, found.into(), failure, slot);
                        found
                    }
                }
            }
        }

        with_return_address! { /// Atomic load.
            /// # Safety
            /// The place is valid.
            $load(place: *mut $int, order: Order) -> $int ["rdx"] => $width::load }
        with_return_address! { /// Atomic store.
            /// # Safety
            /// The place is valid.
            $store(place: *mut $int, value: $int, order: Order) ["rcx"] => $width::store }
        with_return_address! { /// Atomic exchange.
            /// # Safety
            /// The place is valid.
            $exchange(place: *mut $int, value: $int, order: Order) -> $int ["rcx"] => $width::exchange }
        with_return_address! { /// Atomic addition.
            /// # Safety
            /// The place is valid.
            $add(place: *mut $int, value: $int, order: Order) -> $int ["rcx"] => $width::add }
        with_return_address! { /// Atomic subtraction.
            /// # Safety
            /// The place is valid.
            $sub(place: *mut $int, value: $int, order: Order) -> $int ["rcx"] => $width::sub }
        with_return_address! { /// Atomic bitwise and.
            /// # Safety
            /// The place is valid.
            $and(place: *mut $int, value: $int, order: Order) -> $int ["rcx"] => $width::and }
        with_return_address! { /// Atomic bitwise or.
            /// # Safety
            /// The place is valid.
            $or(place: *mut $int, value: $int, order: Order) -> $int ["rcx"] => $width::or }
        with_return_address! { /// Atomic bitwise exclusive or.
            /// # Safety
            /// The place is valid.
            $xor(place: *mut $int, value: $int, order: Order) -> $int ["rcx"] => $width::xor }
        with_return_address! { /// Atomic bitwise not-and.
            /// # Safety
            /// The place is valid.
            $nand(place: *mut $int, value: $int, order: Order) -> $int ["rcx"] => $width::nand }
        with_return_address! { /// Atomic compare-exchange.
            /// # Safety
            /// Both places are valid.
            $strong(place: *mut $int, expected: *mut $int, value: $int, order: Order, failure: Order) -> bool ["r9"] => $width::compare_exchange }
        with_return_address! { /// Atomic compare-exchange; this one never fails spuriously either.
            /// # Safety
            /// Both places are valid.
            $weak(place: *mut $int, expected: *mut $int, value: $int, order: Order, failure: Order) -> bool ["r9"] => $width::compare_exchange }
        with_return_address! { /// Atomic compare-exchange that returns what was there.
            /// # Safety
            /// The place is valid.
            $val(place: *mut $int, expected: $int, value: $int, order: Order, failure: Order) -> $int ["r9"] => $width::compare_exchange_val }
    };
}

of_width!(
    width8,
    AtomicU8,
    u8,
    1,
    __tsan_atomic8_load,
    __tsan_atomic8_store,
    __tsan_atomic8_exchange,
    __tsan_atomic8_fetch_add,
    __tsan_atomic8_fetch_sub,
    __tsan_atomic8_fetch_and,
    __tsan_atomic8_fetch_or,
    __tsan_atomic8_fetch_xor,
    __tsan_atomic8_fetch_nand,
    __tsan_atomic8_compare_exchange_strong,
    __tsan_atomic8_compare_exchange_weak,
    __tsan_atomic8_compare_exchange_val
);
of_width!(
    width16,
    AtomicU16,
    u16,
    2,
    __tsan_atomic16_load,
    __tsan_atomic16_store,
    __tsan_atomic16_exchange,
    __tsan_atomic16_fetch_add,
    __tsan_atomic16_fetch_sub,
    __tsan_atomic16_fetch_and,
    __tsan_atomic16_fetch_or,
    __tsan_atomic16_fetch_xor,
    __tsan_atomic16_fetch_nand,
    __tsan_atomic16_compare_exchange_strong,
    __tsan_atomic16_compare_exchange_weak,
    __tsan_atomic16_compare_exchange_val
);
of_width!(
    width32,
    AtomicU32,
    u32,
    4,
    __tsan_atomic32_load,
    __tsan_atomic32_store,
    __tsan_atomic32_exchange,
    __tsan_atomic32_fetch_add,
    __tsan_atomic32_fetch_sub,
    __tsan_atomic32_fetch_and,
    __tsan_atomic32_fetch_or,
    __tsan_atomic32_fetch_xor,
    __tsan_atomic32_fetch_nand,
    __tsan_atomic32_compare_exchange_strong,
    __tsan_atomic32_compare_exchange_weak,
    __tsan_atomic32_compare_exchange_val
);
of_width!(
    width64,
    AtomicU64,
    u64,
    8,
    __tsan_atomic64_load,
    __tsan_atomic64_store,
    __tsan_atomic64_exchange,
    __tsan_atomic64_fetch_add,
    __tsan_atomic64_fetch_sub,
    __tsan_atomic64_fetch_and,
    __tsan_atomic64_fetch_or,
    __tsan_atomic64_fetch_xor,
    __tsan_atomic64_fetch_nand,
    __tsan_atomic64_compare_exchange_strong,
    __tsan_atomic64_compare_exchange_weak,
    __tsan_atomic64_compare_exchange_val
);

with_return_address! {
    /// A fence.
    ///
    /// # Safety
    /// None needed.
    __tsan_atomic_thread_fence(order: Order) ["rsi"] => fence
}

extern "C" fn fence(order: Order, slot: usize) {
    std::sync::atomic::fence(SeqCst);
    if let Some(checked) = checked::if_on() {
        checked.fence(ordering(order), Here::returning_at(slot));
    }
}

/// A fence against the thread's own signal handlers orders no tasks.
#[unsafe(no_mangle)]
pub extern "C" fn __tsan_atomic_signal_fence(_order: Order) {}
