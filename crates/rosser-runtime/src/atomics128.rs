//! Atomic operations on 16 bytes, as C and C++ programs use them: all by compare-exchange.

use rosser_detect::kind::Kind;

use crate::atomics::{Order, kind_of_update, ordering};
use crate::backtrace::{Here, frame_pointer};
use crate::checked;

/// Compares and exchanges. Returns what was there.
///
/// # Safety
/// The place is valid, aligned to 16 bytes and used atomically.
unsafe fn compare_exchange(place: *mut u128, expected: u128, value: u128) -> u128 {
    let (mut low, mut high) = (expected as u64, (expected >> 64) as u64);
    // SAFETY: by the caller's promise. The compiler keeps `rbx` for itself, so it is swapped in and
    // out around the instruction.
    unsafe {
        std::arch::asm!(
            "xchg {new_low}, rbx",
            "lock cmpxchg16b [{place}]",
            "mov rbx, {new_low}",
            place = in(reg) place,
            new_low = inout(reg) value as u64 => _,
            in("rcx") (value >> 64) as u64,
            inout("rax") low,
            inout("rdx") high,
            options(nostack),
        );
    }
    u128::from(high) << 64 | u128::from(low)
}

/// Replaces the value by a function of it. Returns what was there.
///
/// # Safety
/// As for [`compare_exchange`].
unsafe fn update(place: *mut u128, new: impl Fn(u128) -> u128) -> u128 {
    let mut seen = 0;
    loop {
        // SAFETY: by the caller's promise.
        let found = unsafe { compare_exchange(place, seen, new(seen)) };
        if found == seen {
            return found;
        }
        seen = found;
    }
}

/// Tells the engine. All registers are taken by arguments, so the return address is looked up by
/// the frame pointer of the callback.
fn tell(place: *mut u128, kind: Kind, order: Order, frame: usize) {
    if let Some(checked) = checked::if_on() {
        let here = Here::returning_at(frame + 8);
        let kind = if kind.accumulates() { kind_of_update(kind, order, here) } else { kind };
        checked.atomic(place as usize, 16, kind, ordering(order), here);
    }
}

macro_rules! updates {
    ($($(#[$doc:meta])* $name:ident => $kind:ident, |$old:ident, $value:ident| $new:expr;)*) => {$(
        $(#[$doc])*
        /// # Safety
        /// The place is valid.
        #[unsafe(no_mangle)]
        #[inline(never)]
        pub unsafe extern "C" fn $name(place: *mut u128, $value: u128, order: Order) -> u128 {
            let frame = frame_pointer();
            // SAFETY: the program's own access.
            let old = unsafe { update(place, |$old| $new) };
            tell(place, Kind::$kind, order, frame);
            old
        }
    )*};
}

updates! {
    /// Atomic exchange.
    __tsan_atomic128_exchange => Swap, |_old, value| value;
    /// Atomic addition.
    __tsan_atomic128_fetch_add => Add, |old, value| old.wrapping_add(value);
    /// Atomic subtraction.
    __tsan_atomic128_fetch_sub => Add, |old, value| old.wrapping_sub(value);
    /// Atomic bitwise and.
    __tsan_atomic128_fetch_and => And, |old, value| old & value;
    /// Atomic bitwise or.
    __tsan_atomic128_fetch_or => Or, |old, value| old | value;
    /// Atomic bitwise exclusive or.
    __tsan_atomic128_fetch_xor => Xor, |old, value| old ^ value;
    /// Atomic bitwise not-and.
    __tsan_atomic128_fetch_nand => Swap, |old, value| !(old & value);
    /// Atomic maximum of numbers with a sign.
    __tsan_atomic128_fetch_max => Max, |old, value| (old as i128).max(value as i128) as u128;
    /// Atomic minimum of numbers with a sign.
    __tsan_atomic128_fetch_min => Min, |old, value| (old as i128).min(value as i128) as u128;
    /// Atomic maximum.
    __tsan_atomic128_fetch_umax => Max, |old, value| old.max(value);
    /// Atomic minimum.
    __tsan_atomic128_fetch_umin => Min, |old, value| old.min(value);
}

/// Atomic load.
///
/// # Safety
/// The place is valid.
#[unsafe(no_mangle)]
#[inline(never)]
pub unsafe extern "C" fn __tsan_atomic128_load(place: *mut u128, order: Order) -> u128 {
    let frame = frame_pointer();
    // SAFETY: the program's own access; exchanging zero for zero changes nothing.
    let value = unsafe { compare_exchange(place, 0, 0) };
    tell(place, Kind::Load, order, frame);
    value
}

/// Atomic store.
///
/// # Safety
/// The place is valid.
#[unsafe(no_mangle)]
#[inline(never)]
pub unsafe extern "C" fn __tsan_atomic128_store(place: *mut u128, value: u128, order: Order) {
    let frame = frame_pointer();
    // SAFETY: the program's own access.
    unsafe { update(place, |_| value) };
    tell(place, Kind::Store, order, frame);
}

/// Atomic compare-exchange that returns what was there.
///
/// # Safety
/// The place is valid.
#[unsafe(no_mangle)]
#[inline(never)]
pub unsafe extern "C" fn __tsan_atomic128_compare_exchange_val(
    place: *mut u128,
    expected: u128,
    value: u128,
    order: Order,
    failure: Order,
) -> u128 {
    let frame = frame_pointer();
    // SAFETY: the program's own access.
    let found = unsafe { compare_exchange(place, expected, value) };
    if found == expected {
        tell(place, Kind::Swap, order, frame);
    } else {
        tell(place, Kind::Load, failure, frame);
    }
    found
}

macro_rules! compare_exchanges {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        /// # Safety
        /// Both places are valid.
        #[unsafe(no_mangle)]
        #[inline(never)]
        pub unsafe extern "C" fn $name(
            place: *mut u128,
            expected: *mut u128,
            value: u128,
            order: Order,
            failure: Order,
        ) -> bool {
            let frame = frame_pointer();
            // SAFETY: the program's own accesses.
            let wanted = unsafe { expected.read() };
            // SAFETY: as above.
            let found = unsafe { compare_exchange(place, wanted, value) };
            // SAFETY: as above.
            unsafe { expected.write(found) };
            let (kind, order) =
                if found == wanted { (Kind::Swap, order) } else { (Kind::Load, failure) };
            tell(place, kind, order, frame);
            found == wanted
        }
    )*};
}

compare_exchanges! {
    /// Atomic compare-exchange.
    __tsan_atomic128_compare_exchange_strong;
    /// Atomic compare-exchange; this one never fails spuriously either.
    __tsan_atomic128_compare_exchange_weak;
}
