//! Plain reads and writes that the access path cannot do away with at a glance.

use rosser_detect::kind::Kind;

use super::checked::{Checked, if_on};
use crate::access::{self, bytes_of};
use crate::backtrace::Here;
use crate::shadow::block_of;
use crate::stuck;

impl Checked {
    /// A plain read within a word.
    #[inline]
    pub fn read_word(&mut self, address: usize, bytes: u8, here: Here) {
        let (block, index) = block_of(address);
        self.note_stack(here);
        if self.is_private(address, 1, here) {
            self.touch_private(address, bytes, here);
        } else if !self.worker.is_stood_in_for(block.cell(index), bytes) {
            let id = self.id_of(here);
            let result = self.worker.read(&mut block.lock(), index, bytes, id);
            self.finish(result, address, here);
        }
    }

    /// A plain write within a word.
    #[inline]
    pub fn write_word(&mut self, address: usize, bytes: u8, here: Here) {
        let (block, index) = block_of(address);
        self.note_stack(here);
        if self.is_private(address, 1, here) {
            self.touch_private(address, bytes, here);
        } else {
            let id = self.id_of(here);
            let result = self.worker.write(&mut block.lock(), index, Kind::Write, bytes, id);
            self.finish(result, address, here);
        }
    }

    /// Makes an access that is private to the current task. It is noted for the sake of those that follow:
    /// the access path sees it.
    #[inline]
    fn touch_private(&mut self, address: usize, bytes: u8, here: Here) {
        let (block, index) = block_of(address);
        let result = self.worker.touch_private(&mut block.lock(), index, bytes);
        stuck::unless_exhausted(result, || here);
        // The first id of a step or of a chunk changes what the access path compares with.
        self.refresh();
    }
}

/// A read that is the first of its step. Where it was made is above `slot` and `frame`.
extern "C" fn first_read<const SIZE: usize>(address: usize, slot: usize, frame: usize) {
    if let Some(checked) = if_on() {
        let here = Here { frame, ..Here::returning_at(slot) };
        checked.read_word(address, bytes_of::<SIZE>(address), here);
    }
}

/// A write that is the first of its step.
extern "C" fn first_write<const SIZE: usize>(address: usize, slot: usize, frame: usize) {
    if let Some(checked) = if_on() {
        let here = Here { frame, ..Here::returning_at(slot) };
        checked.write_word(address, bytes_of::<SIZE>(address), here);
    }
}

/// For what is inlined.
#[cfg(rosser_inline)]
pub mod inlined {
    use super::{access, first_read, first_write};

    /// Defines functions that hand on where they return to. They have names for the code of plug-ins to find.
    macro_rules! calls {
        ($($name:ident => $inner:ident, $size:literal;)*) => {$(
            #[cold]
            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            extern "C" fn $name(address: usize) {
                std::arch::naked_asm!(
                    "mov rsi, rsp",
                    "mov rdx, rbp",
                    "jmp {inner}",
                    inner = sym $inner::<$size>,
                )
            }
        )*};
    }

    calls! {
        rosser_first_read1 => first_read, 1;
        rosser_first_read2 => first_read, 2;
        rosser_first_read3 => first_read, 3;
        rosser_first_read4 => first_read, 4;
        rosser_first_read5 => first_read, 5;
        rosser_first_read6 => first_read, 6;
        rosser_first_read7 => first_read, 7;
        rosser_first_read8 => first_read, 8;
        rosser_first_write1 => first_write, 1;
        rosser_first_write2 => first_write, 2;
        rosser_first_write3 => first_write, 3;
        rosser_first_write4 => first_write, 4;
        rosser_first_write5 => first_write, 5;
        rosser_first_write6 => first_write, 6;
        rosser_first_write7 => first_write, 7;
        rosser_first_write8 => first_write, 8;
    }

    #[inline(always)]
    pub fn read<const SIZE: usize>(address: *const u8) {
        access::read::<SIZE>(address, |word| match SIZE {
            1 => rosser_first_read1(word),
            2 => rosser_first_read2(word),
            3 => rosser_first_read3(word),
            4 => rosser_first_read4(word),
            5 => rosser_first_read5(word),
            6 => rosser_first_read6(word),
            7 => rosser_first_read7(word),
            _ => rosser_first_read8(word),
        });
    }

    #[inline(always)]
    pub fn write<const SIZE: usize>(address: *const u8) {
        access::write::<SIZE>(address, |word| match SIZE {
            1 => rosser_first_write1(word),
            2 => rosser_first_write2(word),
            3 => rosser_first_write3(word),
            4 => rosser_first_write4(word),
            5 => rosser_first_write5(word),
            6 => rosser_first_write6(word),
            7 => rosser_first_write7(word),
            _ => rosser_first_write8(word),
        });
    }

    #[inline(always)]
    pub fn read_unaligned<const SIZE: usize>(address: *const u8) {
        if access::is_in_word::<SIZE>(address) {
            read::<SIZE>(address);
        } else {
            access::read_unaligned::<SIZE>(address, access::here());
        }
    }

    #[inline(always)]
    pub fn write_unaligned<const SIZE: usize>(address: *const u8) {
        if access::is_in_word::<SIZE>(address) {
            write::<SIZE>(address);
        } else {
            access::write_unaligned::<SIZE>(address, access::here());
        }
    }
}

/// For what is called: where it was is above `slot` and `frame`.
pub mod called {
    use super::{access, first_read, first_write};
    use crate::backtrace::Here;

    pub extern "C" fn read<const SIZE: usize>(address: *const u8, slot: usize, frame: usize) {
        access::read::<SIZE>(address, |word| first_read::<SIZE>(word, slot, frame));
    }

    pub extern "C" fn write<const SIZE: usize>(address: *const u8, slot: usize, frame: usize) {
        access::write::<SIZE>(address, |word| first_write::<SIZE>(word, slot, frame));
    }

    pub extern "C" fn read_unaligned<const SIZE: usize>(
        address: *const u8,
        slot: usize,
        frame: usize,
    ) {
        let here = Here { frame, ..Here::returning_at(slot) };
        access::read_unaligned::<SIZE>(address, here);
    }

    pub extern "C" fn write_unaligned<const SIZE: usize>(
        address: *const u8,
        slot: usize,
        frame: usize,
    ) {
        let here = Here { frame, ..Here::returning_at(slot) };
        access::write_unaligned::<SIZE>(address, here);
    }
}
