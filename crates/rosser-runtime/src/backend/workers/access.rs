//! Plain accesses of a word, on several workers.

use rosser_detect::kind::Kind;

use super::cells::{block_of, hot_own};
use super::checked::{Checked, if_on};
use crate::access::bytes_of;
use crate::backtrace::Here;
use crate::shadow::cell_under;
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

/// Whether the present step has read or written these bytes before.
#[inline(always)]
pub fn was_accessed<const SIZE: usize>(address: usize) -> bool {
    let (mask, own) = hot_own();
    // SAFETY: the cell of every address is mapped.
    unsafe { &*cell_under(mask, address) }.was_accessed(own, bytes_of::<SIZE>(address))
}

/// Whether the present step has written these bytes before.
#[inline(always)]
pub fn was_written<const SIZE: usize>(address: usize) -> bool {
    let (mask, own) = hot_own();
    // SAFETY: as above.
    unsafe { &*cell_under(mask, address) }.was_written(own, bytes_of::<SIZE>(address))
}

/// A read that its step has not made before. It was called from above `slot` and `frame`.
pub extern "C" fn first_read<const SIZE: usize>(word: usize, slot: usize, frame: usize) {
    if let Some(checked) = if_on() {
        let here = Here { frame, ..Here::returning_at(slot) };
        checked.read_word(word, bytes_of::<SIZE>(word), here);
    }
}

/// A write that its step has not made before. It was called from above `slot` and `frame`.
pub extern "C" fn first_write<const SIZE: usize>(word: usize, slot: usize, frame: usize) {
    if let Some(checked) = if_on() {
        let here = Here { frame, ..Here::returning_at(slot) };
        checked.write_word(word, bytes_of::<SIZE>(word), here);
    }
}

#[cfg(rosser_inline)]
pub(crate) use self::entries::called;
#[cfg(rosser_inline)]
pub use self::inlined::{first_read_inlined, first_write_inlined};

#[cfg(rosser_inline)]
mod entries {
    /// The body of a callback that is called: of one that leaves registers alone.
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

    pub(crate) use called;
}

/// For code that is inlined.
#[cfg(rosser_inline)]
mod inlined {
    use super::{first_read, first_write};

    /// Defines functions that hand on where they return to. They have names for the code of plug-ins to find.
    macro_rules! functions {
        ($($size:literal: $read:ident, $write:ident;)*) => {
            $(
                functions!(one $read => first_read, $size);
                functions!(one $write => first_write, $size);
            )*

            /// A read that its step has not made before.
            #[inline(always)]
            pub fn first_read_inlined<const SIZE: usize>(word: usize) {
                match SIZE {
                    $($size => $read(word),)*
                    _ => rosser_first_read8(word),
                }
            }

            /// A write that its step has not made before.
            #[inline(always)]
            pub fn first_write_inlined<const SIZE: usize>(word: usize) {
                match SIZE {
                    $($size => $write(word),)*
                    _ => rosser_first_write8(word),
                }
            }
        };
        (one $name:ident => $inner:ident, $size:literal) => {
            #[cold]
            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            extern "C" fn $name(word: usize) {
                std::arch::naked_asm!(
                    "mov rsi, rsp",
                    "mov rdx, rbp",
                    "jmp {inner}",
                    inner = sym $inner::<$size>,
                )
            }
        };
    }

    functions! {
        1: rosser_first_read1, rosser_first_write1;
        2: rosser_first_read2, rosser_first_write2;
        3: rosser_first_read3, rosser_first_write3;
        4: rosser_first_read4, rosser_first_write4;
        5: rosser_first_read5, rosser_first_write5;
        6: rosser_first_read6, rosser_first_write6;
        7: rosser_first_read7, rosser_first_write7;
        8: rosser_first_read8, rosser_first_write8;
    }
}
