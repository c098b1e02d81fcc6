//! Which code is the runtime's own.
//!
//! The runtime calls functions of the C library as well, and the compiler has it call more of them:
//! `memcmp` for a comparison of arrays. Such calls are not the program's, and may be made while the
//! state of the checked thread is in use. [`is_own`] is the one place that tells them apart.
//!
//! If the instrumentation stage has made the runtime (`rosser_sealed`), all of its code is in one section, the
//! functions of the standard library that it calls included. Otherwise it goes by names: when the executable's
//! symbols are read, before anything is checked, every 16 bytes of code of a function that is one of the
//! runtime's crates, or was compiled for one, get a bit. Not generic functions of the standard library have none
//! although the runtime may call them. It does so where it reports and where it ends the run, which is what
//! [`Busy`] is for.

use std::cell::Cell;
use std::sync::atomic::{
    AtomicPtr, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

use rosser_abi::names::{crates, symbols};

use crate::sites::Sites;
use crate::system;

/// Bytes of code per bit.
const GRAIN: usize = 16;
/// Code further up in the executable has no bits. It counts as the runtime's own, which is safe.
const CODE: usize = 1 << 28;

/// The bits, once there are any. Until then all code counts as the runtime's own.
/// Stored with release when the memory is there, and loaded with acquire; bits are relaxed: nothing else depends on one.
static BITS: AtomicPtr<AtomicU64> = AtomicPtr::new(std::ptr::null_mut());

thread_local! {
    static BUSY: Cell<bool> = const { Cell::new(false) };
}

/// Whether the calling thread is in the runtime: `pc` is where it called a function of the C library.
#[inline]
pub fn is_own(pc: usize) -> bool {
    BUSY.get() || is_own_code(pc)
}

#[cfg(rosser_sealed)]
#[inline]
fn is_own_code(pc: usize) -> bool {
    unsafe extern "C" {
        static __start_rosser_text: u8;
        static __stop_rosser_text: u8;
    }
    // The linker puts them at the ends of the section, in the executable.
    (&raw const __start_rosser_text as usize..&raw const __stop_rosser_text as usize).contains(&pc)
}

#[cfg(not(rosser_sealed))]
#[inline]
fn is_own_code(pc: usize) -> bool {
    let bits = BITS.load(Acquire);
    let offset = Sites::offset(pc);
    if offset >= CODE {
        // The code of a shared library, or of an executable that is too large to be looked at.
        return bits.is_null() || Sites::is_in_executable(pc);
    }
    // SAFETY: there is a bit for every such offset.
    bits.is_null() || unsafe { &*bits.add(offset / GRAIN / 64) }.load(Relaxed) & bit(offset) != 0
}

fn bit(offset: usize) -> u64 {
    1 << (offset / GRAIN % 64)
}

/// As long as it lives, the calling thread is in the runtime.
pub struct Busy {
    before: bool,
}

impl Busy {
    #[inline]
    pub fn begin() -> Self {
        Self { before: BUSY.replace(true) }
    }
}

impl Drop for Busy {
    #[inline]
    fn drop(&mut self) {
        BUSY.set(self.before);
    }
}

/// Whether a function is the runtime's own, by the name of its symbol.
pub fn is_own_name(name: &[u8]) -> bool {
    let contains = |part: &&[u8]| name.windows(part.len()).any(|window| window == *part);
    crates::RUNTIME_MANGLED.iter().any(contains)
        || symbols::is_callback_symbol(name)
        || symbols::ENTRIES.iter().any(|entry| entry.as_bytes() == name)
}

/// There is a function of the runtime's own at an offset in the executable.
pub fn mark(offset: usize, len: usize) {
    let mut bits = BITS.load(Acquire);
    if bits.is_null() {
        // Symbols are read for the first time before there is a second checked thread.
        bits = system::reserve_slice::<AtomicU64>(CODE / GRAIN / 64).as_mut_ptr();
        BITS.store(bits, Release);
    }
    for at in (offset & !(GRAIN - 1)..(offset + len).min(CODE)).step_by(GRAIN) {
        // SAFETY: as above.
        unsafe { &*bits.add(at / GRAIN / 64) }.fetch_or(bit(at), Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::is_own_name;

    #[test]
    fn names_tell_what_is_the_runtimes_own() {
        for own in [
            "_RNvNtCs4qe_14rosser_runtime6blocks6origin",
            "_RNvMNtCs1_4core5sliceShE3foo_Cs9_13rosser_detect",
            "_RINvNtCs1_4core3ptr4readhECs9_14rosser_runtime.llvm.17",
            "rosser_join",
            "__tsan_read8",
            "malloc",
        ] {
            assert!(is_own_name(own.as_bytes()), "{own}");
        }
        for other in ["_RNvCs4_4main4main", "_RNvNtCs1_3std2io5print", "memcmp", "malloc_usable"] {
            assert!(!is_own_name(other.as_bytes()), "{other}");
        }
    }
}
