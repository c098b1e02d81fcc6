//! The part of the assembly that is for writes.

/// Defines `rosser_write`, from the macros and with the names of [`super`].
macro_rules! asm {
    () => {
        r"
    .macro rosser_write name, bytes, slowly
        rosser_begin \name, \bytes, 0
        mov edx, [r11 + {masks}]
        test edx, ({record} | {many}) << 24
        jnz .L\name\()_give_up
        mov eax, [rip + {checked} + {settled}]
        cmp eax, [r11 + {writer}]
        jbe .L\name\()_unsettled
        cmp eax, [r11 + {accessor}]
        jbe .L\name\()_unsettled
        cmp eax, [r11 + {other}]
        jbe .L\name\()_unsettled
        // Nothing has to be kept.
    .L\name\()_nothing_is_kept:
        rosser_written
        jmp .L\name\()_done
        // All must precede.
    .L\name\()_unsettled:
        rosser_must_precede_there \name, {writer}, 0
        rosser_must_precede_there \name, {accessor}, 8
        rosser_must_precede_there \name, {other}, 16
        cmp sil, 0xff
        je .L\name\()_nothing_is_kept
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
        jae .L\name\()_keep_of_writer
        and edx, 0xff00ffff
        // then the writer, if the step has not written,
    .L\name\()_keep_of_writer:
        mov eax, [r11 + {writer}]
        cmp eax, [rip + {checked} + {base}]
        jae .L\name\()_has_written
        cmp eax, [rip + {checked} + {settled}]
        jb .L\name\()_keep_of_accessor
        mov eax, edx
        and eax, r8d
        jz .L\name\()_keep_of_accessor
        test edx, 0xff0000
        jnz .L\name\()_has_other
    .L\name\()_writer_becomes_other:
        shl eax, 16
        or edx, eax
        // then the accessor.
    .L\name\()_keep_of_accessor:
        mov eax, [r11 + {accessor}]
        cmp eax, [rip + {checked} + {base}]
        jae .L\name\()_accessor_is_own
        cmp eax, [rip + {checked} + {settled}]
        jb .L\name\()_becomes_accessor
        cmp eax, [r11 + {writer}]
        jne .L\name\()_keep_its_bytes
        mov al, dl
        not al
        test al, dh
        jz .L\name\()_becomes_accessor
    .L\name\()_keep_its_bytes:
        movzx eax, dh
        and eax, r8d
        jz .L\name\()_becomes_accessor
        and edx, 0xffff00ff
        shl eax, 8
        or edx, eax
        jmp .L\name\()_becomes_writer
        // The step has written.
    .L\name\()_has_written:
        mov al, dl
        not al
        test al, sil
        jz .L\name\()_written_exactly
        cmp ecx, [r11 + {writer}]
        je .L\name\()_written_exactly
        or edx, {writer_inexact} << 24
    .L\name\()_written_exactly:
        or edx, esi
        mov eax, [r11 + {accessor}]
        cmp eax, [rip + {checked} + {base}]
        jae .L\name\()_has_accessed
        cmp eax, [rip + {checked} + {settled}]
        jb .L\name\()_accesses
        movzx eax, dh
        and eax, r8d
        jz .L\name\()_accesses
        and edx, 0xffff00ff
        shl eax, 8
        or edx, eax
        jmp .L\name\()_others_writes
    .L\name\()_has_accessed:
        mov al, dh
        not al
        test al, sil
        jz .L\name\()_accessed_exactly
        cmp ecx, [r11 + {accessor}]
        je .L\name\()_accessed_exactly
        or edx, {accessor_inexact} << 24
    .L\name\()_accessed_exactly:
        shl esi, 8
        or edx, esi
        jmp .L\name\()_others_writes
    .L\name\()_accesses:
        and edx, 0xffff00ff & ~({accessor_inexact} << 24)
        shl esi, 8
        or edx, esi
        mov [r11 + {accessor}], ecx
    .L\name\()_others_writes:
        test edx, 0xff0000
        jnz .L\name\()_set_masks
        and edx, ~({other_writes} << 24)
        jmp .L\name\()_set_masks
        // The step has read, or nothing of the accessor is kept.
    .L\name\()_accessor_is_own:
        mov al, dh
        not al
        test al, sil
        jz .L\name\()_own_exactly
        cmp ecx, [r11 + {accessor}]
        je .L\name\()_own_exactly
        or edx, {accessor_inexact} << 24
    .L\name\()_own_exactly:
        mov eax, esi
        shl eax, 8
        or edx, eax
        jmp .L\name\()_becomes_writer
    .L\name\()_becomes_accessor:
        and edx, 0xffff00ff & ~({accessor_inexact} << 24)
        mov eax, esi
        shl eax, 8
        or edx, eax
        mov [r11 + {accessor}], ecx
        // The step writes: the writer becomes the other, if its bytes have to be kept.
    .L\name\()_becomes_writer:
        mov eax, [r11 + {writer}]
        cmp eax, [rip + {checked} + {settled}]
        jb .L\name\()_nothing_of_writer
        mov r8b, dl
        or r8b, sil
        cmp r8b, sil
        je .L\name\()_nothing_of_writer
        mov [r11 + {other}], eax
        and edx, ~({thinned} << 24)
        or edx, {other_writes} << 24
        jmp .L\name\()_set_writer
    .L\name\()_nothing_of_writer:
        test edx, 0xff0000
        jnz .L\name\()_set_writer
        and edx, ~({other_writes} << 24)
    .L\name\()_set_writer:
        and edx, 0xffffff00 & ~({writer_inexact} << 24)
        or edx, esi
        mov [r11 + {writer}], ecx
    .L\name\()_set_masks:
        and edx, ~({freed} << 24)
        mov [r11 + {masks}], edx
        pop r8
        jmp .L\name\()_done
        // There is another, too: what it has read and written need not be kept as read.
    .L\name\()_has_other:
        test edx, {other_writes} << 24
        jz .L\name\()_other_has_read
        // Or written: if nothing tells the two apart, one stands for both.
        mov eax, [r11 + {accessor}]
        cmp eax, [rip + {checked} + {base}]
        jae .L\name\()_nobody_has_read
        cmp eax, [r11 + {writer}]
        jne .L\name\()_give_up_r8
        mov al, dl
        not al
        test al, dh
        jnz .L\name\()_give_up_r8
    .L\name\()_nobody_has_read:
        rosser_must_be_alike {other}, .L\name\()_give_up_r8
        rosser_must_be_alike {writer}, .L\name\()_give_up_r8
        call rosser_same_site_as_writer
        jne .L\name\()_give_up_r8
        mov eax, edx
        and eax, r8d
        jmp .L\name\()_writer_becomes_other
    .L\name\()_other_has_read:
        mov eax, [r11 + {other}]
        cmp eax, [r11 + {writer}]
        ja .L\name\()_other_becomes_accessor
        movzx eax, dl
        shl eax, 16
        not eax
        and edx, eax
        test edx, 0xff0000
        jnz .L\name\()_other_becomes_accessor
        mov eax, edx
        and eax, r8d
        jmp .L\name\()_writer_becomes_other
        // If the step has read only what it writes now, the other becomes the accessor, and the writer
        // the other.
    .L\name\()_other_becomes_accessor:
        mov eax, [r11 + {accessor}]
        cmp eax, [rip + {checked} + {base}]
        jb .L\name\()_give_up_r8
        mov eax, r8d
        test al, dh
        jnz .L\name\()_give_up_r8
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
        jmp .L\name\()_done
    .L\name\()_give_up_r8:
        pop r8
        jmp .L\name\()_give_up
        rosser_end \name, \slowly
    .endm
    "
    };
}

pub(super) use asm;
