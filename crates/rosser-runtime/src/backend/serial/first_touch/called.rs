//! Checks that are called, not inlined: they leave registers alone, but for `rax` and `r11`, so that hardly anything
//! is lost by a call.

/// The body of a callback for plain accesses, of which kind and size.
macro_rules! called {
    (read, 16) => { called!(by read, 16) };
    (write, 16) => { called!(by write, 16) };
    (read, $size:tt) => { called!(read, $size, accessor, accessor_mask) };
    (write, $size:tt) => { called!(write, $size, writer, writer_mask) };
    ($inner:ident, $size:tt) => { called!(by $inner, $size) };

    // What does not fit into a word goes another way, like any function.
    (by $inner:ident, $size:tt) => {
        std::arch::naked_asm!(
            "mov rsi, rsp",
            "mov rdx, rbp",
            "jmp {inner}",
            inner = sym called::$inner::<$size>,
        )
    };

    // As in `was_accessed` and `was_written`.
    ($kind:ident, $size:tt, $id:ident, $mask:ident) => {
        std::arch::naked_asm!(
            "mov r11, fs:[{hot}@tpoff + {mask}]",
            "and r11, rdi",
            "movabs rax, {shadow}",
            "lea r11, [rax + 2 * r11]",
            "mov eax, fs:[{hot}@tpoff + {base}]",
            "cmp eax, [r11 + {id}]",
            "ja 3f",
            ".if {size} == 8",
            "cmp byte ptr [r11 + {bytes}], 0xff",
            "jne 3f",
            ".else",
            "movzx r11d, byte ptr [r11 + {bytes}]",
            "xor r11d, 0xff",
            "mov rax, rcx",
            "mov ecx, edi",
            "and ecx, 7",
            "shr r11d, cl",
            "mov rcx, rax",
            "test r11d, (1 << {size}) - 1",
            "jnz 3f",
            ".endif",
            "ret",
            "3:",
            concat!("jmp rosser_first_", stringify!($kind), stringify!($size)),
            hot = sym crate::shadow::HOT,
            mask = const std::mem::offset_of!(crate::shadow::Hot, mask),
            base = const std::mem::offset_of!(crate::shadow::Hot, own.base),
            shadow = const crate::layout::SHADOW,
            id = const std::mem::offset_of!(rosser_detect::serial::cell::Cell, $id),
            bytes = const std::mem::offset_of!(rosser_detect::serial::cell::Cell, $mask),
            size = const $size,
        )
    };
}

pub(crate) use called;
