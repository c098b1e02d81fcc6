//! The functions as the access path calls them.

use crate::access::bytes_of;
use crate::checked::checked;

/// Declares the functions, and defines what they go on to if the engine has to be asked. None of them changes any
/// register but the one of its result, which is nothing.
macro_rules! functions {
    ($($size:literal: $read:ident, $write:ident, $read_slowly:ident, $write_slowly:ident;)*) => {
        unsafe extern "rust-cold" {$(
            #[cold]
            safe fn $read(address: usize) -> bool;
            #[cold]
            safe fn $write(address: usize) -> bool;
        )*}

        $(
            #[cold]
            #[unsafe(no_mangle)]
            extern "rust-cold" fn $read_slowly(address: usize) {
                // SAFETY: with checks off the idle cell has every access take the fast path.
                unsafe { checked() }.read_slowly(address, bytes_of::<$size>(address));
            }

            #[cold]
            #[unsafe(no_mangle)]
            extern "rust-cold" fn $write_slowly(address: usize) {
                // SAFETY: as above.
                unsafe { checked() }.write_slowly(address, bytes_of::<$size>(address));
            }
        )*

        /// A read that its step has not made before.
        #[inline(always)]
        pub fn read<const SIZE: usize>(address: usize) {
            match SIZE {
                $($size => $read(address),)*
                _ => rosser_first_read8(address),
            };
        }

        /// A write that its step has not made before.
        #[inline(always)]
        pub fn write<const SIZE: usize>(address: usize) {
            match SIZE {
                $($size => $write(address),)*
                _ => rosser_first_write8(address),
            };
        }
    };
}

functions! {
    1: rosser_first_read1, rosser_first_write1, rosser_read_slowly1, rosser_write_slowly1;
    2: rosser_first_read2, rosser_first_write2, rosser_read_slowly2, rosser_write_slowly2;
    3: rosser_first_read3, rosser_first_write3, rosser_read_slowly3, rosser_write_slowly3;
    4: rosser_first_read4, rosser_first_write4, rosser_read_slowly4, rosser_write_slowly4;
    5: rosser_first_read5, rosser_first_write5, rosser_read_slowly5, rosser_write_slowly5;
    6: rosser_first_read6, rosser_first_write6, rosser_read_slowly6, rosser_write_slowly6;
    7: rosser_first_read7, rosser_first_write7, rosser_read_slowly7, rosser_write_slowly7;
    8: rosser_first_read8, rosser_first_write8, rosser_read_slowly8, rosser_write_slowly8;
}
