//! Where in the address space what belongs to Rosser lies.
//!
//! On x86-64 Linux programs live below 0x0500…, from 0x5500… (executable and heap) and from 0x7800…
//! (libraries and stacks). Valgrind keeps them below 0x0040…, and lets nobody have anything from
//! 0x1000… on: programs whose instructions are to be counted have a layout of their own.

/// Where the cells begin. The 32 TiB from here on are free in every usual layout.
#[cfg(not(rosser_valgrind))]
pub const SHADOW: usize = 0x1000_0000_0000;
/// Selects what of an address counts: not the low three bits, and nothing above the 44th. The low 44 bits
/// of the ranges where programs live do not overlap.
#[cfg(not(rosser_valgrind))]
pub const MASK: usize = 0x0fff_ffff_fff8;

/// Where the cells begin.
#[cfg(rosser_valgrind)]
pub const SHADOW: usize = 0x0200_0000_0000;
/// Selects what of an address counts.
#[cfg(rosser_valgrind)]
pub const MASK: usize = 0x003f_ffff_fff8;

/// How much address space the cells take.
pub const SHADOW_LEN: usize = (MASK + 8) * 2;

/// Where to reserve so many bytes; 0 leaves that to the system.
#[cfg(not(rosser_valgrind))]
pub fn place_for(_: usize) -> usize {
    0
}

/// Where to reserve so many bytes: Valgrind has no room for many where it puts things by itself.
#[cfg(rosser_valgrind)]
pub fn place_for(len: usize) -> usize {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    const ALIGNMENT: usize = 1 << 21;
    // Relaxed: places need only be different.
    static NEXT: AtomicUsize = AtomicUsize::new(SHADOW + SHADOW_LEN);
    NEXT.fetch_add(len.next_multiple_of(ALIGNMENT), Relaxed)
}

const _: () = {
    assert!(MASK.trailing_zeros() == 3);
    // The ranges in use do not overlap after masking, and the shadow is in none of them.
    assert!(cfg!(rosser_valgrind) || 0x5800_0000_0000_usize & MASK == 0x0800_0000_0000);
    assert!(SHADOW + SHADOW_LEN <= 0x5500_0000_0000);
};
