//! Plain reads and writes: the callbacks that run for every access of the program.
//!
//! The fast path loads the cell, compares its id with the first id of the present step and its
//! mask with the bytes of the access. Everything else is in [`crate::checked`].

use crate::backtrace::Here;
use crate::checked::if_on;
use crate::shadow::cell_under;
#[cfg(not(rosser_parallel))]
use crate::shadow::hot;
#[cfg(rosser_parallel)]
use crate::shadow::hot_own;
use rosser_detect::kind::Kind;

/// The bytes of a word that an access of `SIZE` bytes at `address` touches. It does not cross
/// words, or is made of whole ones.
#[inline(always)]
pub fn bytes_of<const SIZE: usize>(address: usize) -> u8 {
    if SIZE >= 8 { 0xff } else { (((1_u16 << SIZE) - 1) as u8) << (address & 7) }
}

/// Whether the present step has read or written these bytes before.
#[cfg(rosser_parallel)]
#[inline(always)]
fn was_accessed<const SIZE: usize>(address: usize) -> bool {
    let (mask, own) = hot_own();
    // SAFETY: the cell of every address is mapped.
    unsafe { &*cell_under(mask, address) }.was_accessed(own, bytes_of::<SIZE>(address))
}

/// Whether the present step has written these bytes before.
#[cfg(rosser_parallel)]
#[inline(always)]
fn was_written<const SIZE: usize>(address: usize) -> bool {
    let (mask, own) = hot_own();
    // SAFETY: as above.
    unsafe { &*cell_under(mask, address) }.was_written(own, bytes_of::<SIZE>(address))
}

/// Whether the present step has read or written these bytes before.
#[cfg(not(rosser_parallel))]
#[inline(always)]
fn was_accessed<const SIZE: usize>(address: usize) -> bool {
    let (mask, base) = hot();
    // SAFETY: the cell of every address is mapped; only the checked thread writes it.
    let cell = unsafe { &*cell_under(mask, address) };
    if SIZE == 8 {
        cell.accessor >= base && cell.accessor_mask == 0xff
    } else {
        // With checks off the one idle cell is full, whatever the offset.
        cell.has_accessed(base, bytes_of::<SIZE>(address))
    }
}

/// Whether the present step has written these bytes before.
#[cfg(not(rosser_parallel))]
#[inline(always)]
fn was_written<const SIZE: usize>(address: usize) -> bool {
    let (mask, base) = hot();
    // SAFETY: as above.
    let cell = unsafe { &*cell_under(mask, address) };
    if SIZE == 8 {
        cell.writer >= base && cell.writer_mask == 0xff
    } else {
        cell.has_written(base, bytes_of::<SIZE>(address))
    }
}

/// Reads word by word; `slowly` makes those that its step has not made before.
#[inline(always)]
pub(crate) fn read<const SIZE: usize>(address: *const u8, slowly: impl Fn(usize)) {
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
pub(crate) fn write<const SIZE: usize>(address: *const u8, slowly: impl Fn(usize)) {
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
pub(crate) fn read_unaligned<const SIZE: usize>(address: *const u8, here: Here) {
    if crate::shadow::is_on() {
        read_range(address as usize, SIZE, here);
    }
}

#[inline(always)]
pub(crate) fn write_unaligned<const SIZE: usize>(address: *const u8, here: Here) {
    if crate::shadow::is_on() {
        write_range(address as usize, SIZE, here);
    }
}

/// Whether an access that may cross words does not.
#[cfg(rosser_inline)]
#[inline(always)]
pub(crate) fn is_in_word<const SIZE: usize>(address: *const u8) -> bool {
    SIZE < 8 && (address as usize & 7) + SIZE <= 8
}

/// The code that this is inlined into.
#[cfg(rosser_inline)]
#[inline(always)]
pub(crate) fn here() -> Here {
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

/// The body of a callback that is called: of one that leaves registers alone, as those do that are called where
/// others are inlined.
#[cfg(all(rosser_parallel, rosser_inline))]
macro_rules! called {
    ($inner:ident, $size:tt) => {
        std::arch::naked_asm!(
            "push rcx",
            "push rdx",
            "push rsi",
            "push rdi",
            "push r8",
            "push r9",
            "push r10",
            "lea rsi, [rsp + 56]",
            "mov rdx, rbp",
            "call {inner}",
            "pop r10",
            "pop r9",
            "pop r8",
            "pop rdi",
            "pop rsi",
            "pop rdx",
            "pop rcx",
            "ret",
            inner = sym called::$inner::<$size>,
        )
    };
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

#[cfg(all(rosser_inline, not(rosser_parallel)))]
use crate::serial::first_touch::called;

#[cfg(rosser_parallel)]
use crate::parallel::access::called;
#[cfg(all(rosser_parallel, rosser_inline))]
use crate::parallel::access::inlined;

#[cfg(all(rosser_inline, not(rosser_parallel)))]
mod inlined {
    use super::here;
    use crate::serial::first_touch;

    #[inline(always)]
    pub(super) fn read<const SIZE: usize>(address: *const u8) {
        super::read::<SIZE>(address, |word| first_touch::read::<SIZE>(word));
    }

    #[inline(always)]
    pub(super) fn write<const SIZE: usize>(address: *const u8) {
        super::write::<SIZE>(address, |word| first_touch::write::<SIZE>(word));
    }

    #[inline(always)]
    pub(super) fn read_unaligned<const SIZE: usize>(address: *const u8) {
        if super::is_in_word::<SIZE>(address) {
            read::<SIZE>(address);
        } else {
            super::read_unaligned::<SIZE>(address, here());
        }
    }

    #[inline(always)]
    pub(super) fn write_unaligned<const SIZE: usize>(address: *const u8) {
        if super::is_in_word::<SIZE>(address) {
            write::<SIZE>(address);
        } else {
            super::write_unaligned::<SIZE>(address, here());
        }
    }
}

#[cfg(not(rosser_parallel))]
mod called {
    use crate::backtrace::Here;
    use crate::checked::checked;
    use crate::shadow::cell_of;
    use rosser_detect::serial::judge::Judge;

    use super::bytes_of;

    /// Functions that find their return address in `slot`, and their caller's frame in `frame`.
    macro_rules! functions {
        ($($name:ident($address:ident, $here:ident) $body:block)*) => {$(
            pub(super) extern "C" fn $name<const SIZE: usize>(
                $address: *const u8,
                slot: usize,
                frame: usize,
            ) {
                let $here = Here { frame, ..Here::returning_at(slot) };
                $body
            }
        )*};
    }

    functions! {
        read(address, here) {
            super::read::<SIZE>(address, |word| {
                // SAFETY: with checks off the idle cell has every access take the fast path.
                let checked = unsafe { checked() };
                let bytes = bytes_of::<SIZE>(word);
                // SAFETY: the cell is mapped and only this thread uses it.
                let cell = unsafe { &*cell_of(word) };
                if !checked.engine.judge.leave_to_others(cell)
                    && !checked.touch_quickly(word, bytes, here, Judge::read_quickly)
                {
                    checked.read_slowly(word, bytes);
                }
            });
        }
        write(address, here) {
            super::write::<SIZE>(address, |word| {
                // SAFETY: as above.
                let checked = unsafe { checked() };
                let bytes = bytes_of::<SIZE>(word);
                if !checked.touch_quickly(word, bytes, here, Judge::write_quickly) {
                    checked.write_slowly(word, bytes);
                }
            });
        }
        read_unaligned(address, here) {
            super::read_unaligned::<SIZE>(address, here);
        }
        write_unaligned(address, here) {
            super::write_unaligned::<SIZE>(address, here);
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
