//! The part of the assembly that is for writes.

/// Defines `rosser_write`, from the macros and with the names of [`super`].
macro_rules! asm {
    () => {
        r"
    .macro rosser_write name, bytes, slowly
        rosser_begin \name, \bytes, 0
        mov edx, [r11 + {masks}]
        test edx, ({record} | {many}) << 24
        jnz 99f
        mov eax, [rip + {checked} + {settled}]
        cmp eax, [r11 + {writer}]
        jbe 30f
        cmp eax, [r11 + {accessor}]
        jbe 30f
        cmp eax, [r11 + {other}]
        jbe 30f
        // Nothing has to be kept.
    20:
        rosser_written
        jmp 98f
        // All must precede.
    30:
        rosser_must_precede_there {writer}, 0
        rosser_must_precede_there {accessor}, 8
        rosser_must_precede_there {other}, 16
        cmp sil, 0xff
        je 20b
        // Others' bytes may have to be kept; `r8d` is which. First the other,
        push r8
        mov r8d, esi
        xor r8d, 0xff
        mov eax, r8d
        shl eax, 16
        or eax, 0xff00ffff
        and edx, eax
        mov eax, [r11 + {other}]
        cmp eax, [rip + {checked} + {settled}]
        jae 31f
        and edx, 0xff00ffff
        // then the writer, if the step has not written,
    31:
        mov eax, [r11 + {writer}]
        cmp eax, [rip + {checked} + {base}]
        jae 34f
        cmp eax, [rip + {checked} + {settled}]
        jb 32f
        mov eax, edx
        and eax, r8d
        jz 32f
        test edx, 0xff0000
        jnz 60f
    63:
        shl eax, 16
        or edx, eax
        // then the accessor.
    32:
        mov eax, [r11 + {accessor}]
        cmp eax, [rip + {checked} + {base}]
        jae 40f
        cmp eax, [rip + {checked} + {settled}]
        jb 41f
        cmp eax, [r11 + {writer}]
        jne 33f
        mov al, dl
        not al
        test al, dh
        jz 41f
    33:
        movzx eax, dh
        and eax, r8d
        jz 41f
        and edx, 0xffff00ff
        shl eax, 8
        or edx, eax
        jmp 50f
        // The step has written.
    34:
        mov al, dl
        not al
        test al, sil
        jz 35f
        cmp ecx, [r11 + {writer}]
        je 35f
        or edx, {writer_inexact} << 24
    35:
        or edx, esi
        mov eax, [r11 + {accessor}]
        cmp eax, [rip + {checked} + {base}]
        jae 36f
        cmp eax, [rip + {checked} + {settled}]
        jb 38f
        movzx eax, dh
        and eax, r8d
        jz 38f
        and edx, 0xffff00ff
        shl eax, 8
        or edx, eax
        jmp 39f
    36:
        mov al, dh
        not al
        test al, sil
        jz 37f
        cmp ecx, [r11 + {accessor}]
        je 37f
        or edx, {accessor_inexact} << 24
    37:
        shl esi, 8
        or edx, esi
        jmp 39f
    38:
        and edx, 0xffff00ff & ~({accessor_inexact} << 24)
        shl esi, 8
        or edx, esi
        mov [r11 + {accessor}], ecx
    39:
        test edx, 0xff0000
        jnz 55f
        and edx, ~({other_writes} << 24)
        jmp 55f
        // The step has read, or nothing of the accessor is kept.
    40:
        mov al, dh
        not al
        test al, sil
        jz 42f
        cmp ecx, [r11 + {accessor}]
        je 42f
        or edx, {accessor_inexact} << 24
    42:
        mov eax, esi
        shl eax, 8
        or edx, eax
        jmp 50f
    41:
        and edx, 0xffff00ff & ~({accessor_inexact} << 24)
        mov eax, esi
        shl eax, 8
        or edx, eax
        mov [r11 + {accessor}], ecx
        // The step writes: the writer becomes the other, if its bytes have to be kept.
    50:
        mov eax, [r11 + {writer}]
        cmp eax, [rip + {checked} + {settled}]
        jb 51f
        mov r8b, dl
        or r8b, sil
        cmp r8b, sil
        je 51f
        mov [r11 + {other}], eax
        and edx, ~({thinned} << 24)
        or edx, {other_writes} << 24
        jmp 52f
    51:
        test edx, 0xff0000
        jnz 52f
        and edx, ~({other_writes} << 24)
    52:
        and edx, 0xffffff00 & ~({writer_inexact} << 24)
        or edx, esi
        mov [r11 + {writer}], ecx
    55:
        and edx, ~({freed} << 24)
        mov [r11 + {masks}], edx
        pop r8
        jmp 98f
        // There is another, too: what it has read and written need not be kept as read.
    60:
        test edx, {other_writes} << 24
        jnz 97f
        mov eax, [r11 + {other}]
        cmp eax, [r11 + {writer}]
        ja 61f
        movzx eax, dl
        shl eax, 16
        not eax
        and edx, eax
        test edx, 0xff0000
        jnz 61f
        mov eax, edx
        and eax, r8d
        jmp 63b
        // If the step has read only what it writes now, the other becomes the accessor, and the writer
        // the other.
    61:
        mov eax, [r11 + {accessor}]
        cmp eax, [rip + {checked} + {base}]
        jb 97f
        mov eax, r8d
        test al, dh
        jnz 97f
        mov eax, [r11 + {other}]
        mov [r11 + {accessor}], eax
        mov eax, [r11 + {writer}]
        mov [r11 + {other}], eax
        mov [r11 + {writer}], ecx
        mov eax, edx
        and eax, r8d
        shl eax, 16
        or esi, eax
        mov eax, edx
        shr eax, 8
        and eax, 0xff00
        or esi, eax
        and edx, 0xff000000 & ~(({writer_inexact} | {freed}) << 24)
        or edx, esi
        or edx, ({other_writes} | {accessor_inexact}) << 24
        mov [r11 + {masks}], edx
        pop r8
        jmp 98f
    97:
        pop r8
        jmp 99f
        rosser_end \name, \slowly
    .endm
    "
    };
}

pub(super) use asm;
