//! Plain reads and writes: the callbacks that run for every access of the program.
//!
//! The fast path loads the cell, compares its id with the first id of the present step and its
//! mask with the bytes of the access. Everything else is in [`crate::checked`].

use crate::backend::access::{first_read, first_write, was_accessed, was_written};
use crate::backtrace::Here;
use crate::checked::if_on;
use rosser_detect::kind::Kind;

/// The bytes of a word that an access of `SIZE` bytes at `address` touches. It does not cross
/// words, or is made of whole ones.
#[inline(always)]
pub fn bytes_of<const SIZE: usize>(address: usize) -> u8 {
    if SIZE >= 8 { 0xff } else { (((1_u16 << SIZE) - 1) as u8) << (address & 7) }
}

/// Reads word by word; `slowly` makes those that its step has not made before.
#[inline(always)]
fn read<const SIZE: usize>(address: *const u8, slowly: impl Fn(usize)) {
    let address = address as usize;
    if SIZE == 16 {
        for word in [address, address + 8] {
            if !was_accessed::<8>(word) {
                slowly(word);
            }
        }
    } else if !was_accessed::<SIZE>(address) {
        slowly(address);
    }
}

/// Writes word by word; `slowly` makes those that its step has not made before.
#[inline(always)]
fn write<const SIZE: usize>(address: *const u8, slowly: impl Fn(usize)) {
    let address = address as usize;
    if SIZE == 16 {
        for word in [address, address + 8] {
            if !was_written::<8>(word) {
                slowly(word);
            }
        }
    } else if !was_written::<SIZE>(address) {
        slowly(address);
    }
}

/// A read of any length, if checks are on.
#[cold]
#[inline(never)]
pub extern "C" fn read_range(address: usize, len: usize, here: Here) {
    if let Some(checked) = if_on() {
        checked.read(address, len, here);
    }
}

/// A write of any length, if checks are on.
#[cold]
#[inline(never)]
pub extern "C" fn write_range(address: usize, len: usize, here: Here) {
    if let Some(checked) = if_on() {
        checked.write(address, len, Kind::Write, here);
    }
}

/// A call of this and nothing else is what inlining leaves of an unaligned access: they are rare.
#[inline(always)]
fn read_unaligned<const SIZE: usize>(address: *const u8, here: Here) {
    if crate::shadow::is_on() {
        read_range(address as usize, SIZE, here);
    }
}

#[inline(always)]
fn write_unaligned<const SIZE: usize>(address: *const u8, here: Here) {
    if crate::shadow::is_on() {
        write_range(address as usize, SIZE, here);
    }
}

/// Whether an access that may cross words does not.
#[cfg(rosser_inline)]
#[inline(always)]
fn is_in_word<const SIZE: usize>(address: *const u8) -> bool {
    SIZE < 8 && (address as usize & 7) + SIZE <= 8
}

/// The code that this is inlined into.
#[cfg(rosser_inline)]
#[inline(always)]
fn here() -> Here {
    let (pc, sp, frame);
    // SAFETY: reads registers.
    unsafe {
        std::arch::asm!(
            "lea {}, [rip]",
            "mov {}, rsp",
            "mov {}, rbp",
            out(reg) pc,
            out(reg) sp,
            out(reg) frame,
            options(nomem, nostack, preserves_flags)
        );
    }
    Here { pc, sp, frame }
}

/// Defines callbacks with one pointer argument. The instrumentation stage inlines those of the second name, which ask
/// where they are. Those of the first are called: by the stage where no loop is, and by machine code of C and C++.
/// They hand on where their return address is.
macro_rules! callbacks {
    ($($(#[$doc:meta])* $name:ident, $inlined:ident => $inner:ident::<$size:tt>;)*) => {$(
        #[cfg(rosser_inline)]
        $(#[$doc])*
        #[allow(unused_attributes, reason = "heeded by the instrumentation stage")]
        #[unsafe(no_mangle)]
        #[inline(always)]
        pub extern "C" fn $inlined(address: *const u8) {
            inlined::$inner::<$size>(address);
        }

        $(#[$doc])*
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        pub extern "C" fn $name(address: *const u8) {
            called!($inner, $size)
        }
    )*};
}

/// The body of a callback that is called.
#[cfg(not(rosser_inline))]
macro_rules! called {
    ($inner:ident, $size:tt) => {
        std::arch::naked_asm!(
            "mov rsi, rsp",
            "mov rdx, rbp",
            "jmp {inner}",
            inner = sym called::$inner::<$size>,
        )
    };
}

// Where others are inlined, those that are called leave registers alone.
#[cfg(rosser_inline)]
use crate::backend::access::called;

/// What callbacks do that are called: they were called from above `slot` and `frame`.
mod called {
    use super::{Here, first_read, first_write};

    pub(super) extern "C" fn read<const SIZE: usize>(
        address: *const u8,
        slot: usize,
        frame: usize,
    ) {
        super::read::<SIZE>(address, |word| first_read::<SIZE>(word, slot, frame));
    }

    pub(super) extern "C" fn write<const SIZE: usize>(
        address: *const u8,
        slot: usize,
        frame: usize,
    ) {
        super::write::<SIZE>(address, |word| first_write::<SIZE>(word, slot, frame));
    }

    pub(super) extern "C" fn read_unaligned<const SIZE: usize>(
        address: *const u8,
        slot: usize,
        frame: usize,
    ) {
        super::read_unaligned::<SIZE>(address, Here { frame, ..Here::returning_at(slot) });
    }

    pub(super) extern "C" fn write_unaligned<const SIZE: usize>(
        address: *const u8,
        slot: usize,
        frame: usize,
    ) {
        super::write_unaligned::<SIZE>(address, Here { frame, ..Here::returning_at(slot) });
    }
}

/// What callbacks do that are inlined.
#[cfg(rosser_inline)]
mod inlined {
    use super::{here, is_in_word};
    use crate::backend::access::{first_read_inlined, first_write_inlined};

    #[inline(always)]
    pub(super) fn read<const SIZE: usize>(address: *const u8) {
        super::read::<SIZE>(address, |word| first_read_inlined::<SIZE>(word));
    }

    #[inline(always)]
    pub(super) fn write<const SIZE: usize>(address: *const u8) {
        super::write::<SIZE>(address, |word| first_write_inlined::<SIZE>(word));
    }

    #[inline(always)]
    pub(super) fn read_unaligned<const SIZE: usize>(address: *const u8) {
        if is_in_word::<SIZE>(address) {
            read::<SIZE>(address);
        } else {
            super::read_unaligned::<SIZE>(address, here());
        }
    }

    #[inline(always)]
    pub(super) fn write_unaligned<const SIZE: usize>(address: *const u8) {
        if is_in_word::<SIZE>(address) {
            write::<SIZE>(address);
        } else {
            super::write_unaligned::<SIZE>(address, here());
        }
    }
}

callbacks! {
    /// A read of 1 byte.
    __tsan_read1, rosser_read1 => read::<1>;
    /// A read of 2 bytes.
    __tsan_read2, rosser_read2 => read::<2>;
    /// A read of 4 bytes.
    __tsan_read4, rosser_read4 => read::<4>;
    /// A read of 3 bytes in one word.
    __tsan_read3, rosser_read3 => read::<3>;
    /// A read of 5 bytes in one word.
    __tsan_read5, rosser_read5 => read::<5>;
    /// A read of 6 bytes in one word.
    __tsan_read6, rosser_read6 => read::<6>;
    /// A read of 7 bytes in one word.
    __tsan_read7, rosser_read7 => read::<7>;
    /// A read of 8 bytes.
    __tsan_read8, rosser_read8 => read::<8>;
    /// A read of 16 bytes, aligned to 8 at least.
    __tsan_read16, rosser_read16 => read::<16>;
    /// A write of 1 byte.
    __tsan_write1, rosser_write1 => write::<1>;
    /// A write of 2 bytes.
    __tsan_write2, rosser_write2 => write::<2>;
    /// A write of 4 bytes.
    __tsan_write4, rosser_write4 => write::<4>;
    /// A write of 3 bytes in one word.
    __tsan_write3, rosser_write3 => write::<3>;
    /// A write of 5 bytes in one word.
    __tsan_write5, rosser_write5 => write::<5>;
    /// A write of 6 bytes in one word.
    __tsan_write6, rosser_write6 => write::<6>;
    /// A write of 7 bytes in one word.
    __tsan_write7, rosser_write7 => write::<7>;
    /// A write of 8 bytes.
    __tsan_write8, rosser_write8 => write::<8>;
    /// A write of 16 bytes, aligned to 8 at least.
    __tsan_write16, rosser_write16 => write::<16>;
    /// A read of 2 bytes that may cross words.
    __tsan_unaligned_read2, rosser_unaligned_read2 => read_unaligned::<2>;
    /// A read of 4 bytes that may cross words.
    __tsan_unaligned_read4, rosser_unaligned_read4 => read_unaligned::<4>;
    /// A read of 3 bytes that may cross words.
    __tsan_unaligned_read3, rosser_unaligned_read3 => read_unaligned::<3>;
    /// A read of 5 bytes that may cross words.
    __tsan_unaligned_read5, rosser_unaligned_read5 => read_unaligned::<5>;
    /// A read of 6 bytes that may cross words.
    __tsan_unaligned_read6, rosser_unaligned_read6 => read_unaligned::<6>;
    /// A read of 7 bytes that may cross words.
    __tsan_unaligned_read7, rosser_unaligned_read7 => read_unaligned::<7>;
    /// A read of 8 bytes that may cross words.
    __tsan_unaligned_read8, rosser_unaligned_read8 => read_unaligned::<8>;
    /// A read of 16 bytes that may cross words.
    __tsan_unaligned_read16, rosser_unaligned_read16 => read_unaligned::<16>;
    /// A write of 2 bytes that may cross words.
    __tsan_unaligned_write2, rosser_unaligned_write2 => write_unaligned::<2>;
    /// A write of 4 bytes that may cross words.
    __tsan_unaligned_write4, rosser_unaligned_write4 => write_unaligned::<4>;
    /// A write of 3 bytes that may cross words.
    __tsan_unaligned_write3, rosser_unaligned_write3 => write_unaligned::<3>;
    /// A write of 5 bytes that may cross words.
    __tsan_unaligned_write5, rosser_unaligned_write5 => write_unaligned::<5>;
    /// A write of 6 bytes that may cross words.
    __tsan_unaligned_write6, rosser_unaligned_write6 => write_unaligned::<6>;
    /// A write of 7 bytes that may cross words.
    __tsan_unaligned_write7, rosser_unaligned_write7 => write_unaligned::<7>;
    /// A write of 8 bytes that may cross words.
    __tsan_unaligned_write8, rosser_unaligned_write8 => write_unaligned::<8>;
    /// A write of 16 bytes that may cross words.
    __tsan_unaligned_write16, rosser_unaligned_write16 => write_unaligned::<16>;
    /// A read and a write of 1 byte: no worse than the write.
    __tsan_read_write1, rosser_read_write1 => write::<1>;
    /// A read and a write of 2 bytes.
    __tsan_read_write2, rosser_read_write2 => write::<2>;
    /// A read and a write of 4 bytes.
    __tsan_read_write4, rosser_read_write4 => write::<4>;
    /// A read and a write of 8 bytes.
    __tsan_read_write8, rosser_read_write8 => write::<8>;
    /// A read and a write of 16 bytes.
    __tsan_read_write16, rosser_read_write16 => write::<16>;
    /// A read and a write of 2 bytes that may cross words.
    __tsan_unaligned_read_write2, rosser_unaligned_read_write2 => write_unaligned::<2>;
    /// A read and a write of 4 bytes that may cross words.
    __tsan_unaligned_read_write4, rosser_unaligned_read_write4 => write_unaligned::<4>;
    /// A read and a write of 8 bytes that may cross words.
    __tsan_unaligned_read_write8, rosser_unaligned_read_write8 => write_unaligned::<8>;
    /// A read and a write of 16 bytes that may cross words.
    __tsan_unaligned_read_write16, rosser_unaligned_read_write16 => write_unaligned::<16>;
    /// A read of a pointer to a table of virtual functions (C++).
    __tsan_vptr_read, rosser_vptr_read => read::<8>;
}
