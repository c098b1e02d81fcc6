//! Atomic minimum and maximum, and updates that the program carries out itself.

use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{
    AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicU8, AtomicU16, AtomicU32, AtomicU64,
};

use rosser_detect::kind::Kind;

use crate::atomics::{Order, ordering, tell};
use crate::backtrace::Here;
use crate::checked::{self, hold};
use crate::entry::with_return_address;

/// Defines an update: what it is called, of what, and how it is carried out.
macro_rules! updates {
    ($($name:ident: $atomic:ident, $int:ty, $bytes:literal, $method:ident, $larger:ident, $kind:ident;)*) => {$(
        with_return_address! { /// Atomic minimum or maximum.
            /// # Safety
            /// The place is valid.
            $name(place: *mut $int, value: $int, order: Order) -> $int ["rcx"] => inner::$name }
    )*
    // One macro is of integers of all sizes, signed and not.
    #[allow(clippy::cast_lossless, clippy::cast_sign_loss)]
    mod inner {
        use super::*;
        $(
            pub unsafe extern "C" fn $name(place: *mut $int, value: $int, order: Order, slot: usize) -> $int {
                let held = hold(place as usize);
                // SAFETY: the program's own access.
                let old = unsafe { $atomic::from_ptr(place) }.$method(value, SeqCst);
                let values = [old as u64, old.$larger(value) as u64];
                tell::<$bytes>(held, place as usize, Kind::$kind, values, order, slot);
                old
            }
        )*
    }};
}

updates! {
    __tsan_atomic8_fetch_max: AtomicI8, i8, 1, fetch_max, max, Max;
    __tsan_atomic8_fetch_min: AtomicI8, i8, 1, fetch_min, min, Min;
    __tsan_atomic8_fetch_umax: AtomicU8, u8, 1, fetch_max, max, Max;
    __tsan_atomic8_fetch_umin: AtomicU8, u8, 1, fetch_min, min, Min;
    __tsan_atomic16_fetch_max: AtomicI16, i16, 2, fetch_max, max, Max;
    __tsan_atomic16_fetch_min: AtomicI16, i16, 2, fetch_min, min, Min;
    __tsan_atomic16_fetch_umax: AtomicU16, u16, 2, fetch_max, max, Max;
    __tsan_atomic16_fetch_umin: AtomicU16, u16, 2, fetch_min, min, Min;
    __tsan_atomic32_fetch_max: AtomicI32, i32, 4, fetch_max, max, Max;
    __tsan_atomic32_fetch_min: AtomicI32, i32, 4, fetch_min, min, Min;
    __tsan_atomic32_fetch_umax: AtomicU32, u32, 4, fetch_max, max, Max;
    __tsan_atomic32_fetch_umin: AtomicU32, u32, 4, fetch_min, min, Min;
    __tsan_atomic64_fetch_max: AtomicI64, i64, 8, fetch_max, max, Max;
    __tsan_atomic64_fetch_min: AtomicI64, i64, 8, fetch_min, min, Min;
    __tsan_atomic64_fetch_umax: AtomicU64, u64, 8, fetch_max, max, Max;
    __tsan_atomic64_fetch_umin: AtomicU64, u64, 8, fetch_min, min, Min;
}

with_return_address! {
    /// An atomic update that has no callback of its own: the program carries it out, right after this.
    ///
    /// # Safety
    /// None needed.
    rosser_atomic_update(place: *const u8, size: usize, order: Order) ["rcx"] => update
}

extern "C" fn update(place: *const u8, size: usize, order: Order, slot: usize) {
    if let Some(checked) = checked::if_on() {
        let here = Here::returning_at(slot);
        checked.atomic(place as usize, size, Kind::Swap, ordering(order), here);
    }
}
