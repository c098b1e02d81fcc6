//! The functions as the access path calls them.

use crate::access::bytes_of;
use crate::checked::checked;

unsafe extern "rust-cold" {
    #[cold]
    safe fn rosser_first_read1(address: usize) -> bool;
    #[cold]
    safe fn rosser_first_read2(address: usize) -> bool;
    #[cold]
    safe fn rosser_first_read3(address: usize) -> bool;
    #[cold]
    safe fn rosser_first_read4(address: usize) -> bool;
    #[cold]
    safe fn rosser_first_read5(address: usize) -> bool;
    #[cold]
    safe fn rosser_first_read6(address: usize) -> bool;
    #[cold]
    safe fn rosser_first_read7(address: usize) -> bool;
    #[cold]
    safe fn rosser_first_read8(address: usize) -> bool;
    #[cold]
    safe fn rosser_first_write1(address: usize) -> bool;
    #[cold]
    safe fn rosser_first_write2(address: usize) -> bool;
    #[cold]
    safe fn rosser_first_write3(address: usize) -> bool;
    #[cold]
    safe fn rosser_first_write4(address: usize) -> bool;
    #[cold]
    safe fn rosser_first_write5(address: usize) -> bool;
    #[cold]
    safe fn rosser_first_write6(address: usize) -> bool;
    #[cold]
    safe fn rosser_first_write7(address: usize) -> bool;
    #[cold]
    safe fn rosser_first_write8(address: usize) -> bool;
}

/// A read that its step has not made before.
#[inline(always)]
pub fn read<const SIZE: usize>(address: usize) {
    let done = match SIZE {
        1 => rosser_first_read1(address),
        2 => rosser_first_read2(address),
        3 => rosser_first_read3(address),
        4 => rosser_first_read4(address),
        5 => rosser_first_read5(address),
        6 => rosser_first_read6(address),
        7 => rosser_first_read7(address),
        _ => rosser_first_read8(address),
    };
    if !done {
        read_slowly::<SIZE>(address);
    }
}

/// A write that its step has not made before.
#[inline(always)]
pub fn write<const SIZE: usize>(address: usize) {
    let done = match SIZE {
        1 => rosser_first_write1(address),
        2 => rosser_first_write2(address),
        3 => rosser_first_write3(address),
        4 => rosser_first_write4(address),
        5 => rosser_first_write5(address),
        6 => rosser_first_write6(address),
        7 => rosser_first_write7(address),
        _ => rosser_first_write8(address),
    };
    if !done {
        write_slowly::<SIZE>(address);
    }
}

#[cold]
#[inline(never)]
extern "rust-cold" fn read_slowly<const SIZE: usize>(address: usize) {
    // SAFETY: with checks off the idle cell has every access take the fast path.
    unsafe { checked() }.read_slowly(address, bytes_of::<SIZE>(address));
}

#[cold]
#[inline(never)]
extern "rust-cold" fn write_slowly<const SIZE: usize>(address: usize) {
    // SAFETY: as above.
    unsafe { checked() }.write_slowly(address, bytes_of::<SIZE>(address));
}
