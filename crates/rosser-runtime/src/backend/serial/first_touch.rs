//! A step comes to a word for the first time: what the fast path calls.
//!
//! Programs with many short steps spend their time here, in the middle of their loops. So this is
//! assembly, for the sake of the registers: it leaves all but two alone (`rust-cold`), takes nothing
//! but the address, and finds out by itself where it was called. It does what
//! [`Checked::touch_quickly`] does with the quick functions of `rosser_detect::serial`. In the rarer cases it leaves
//! behind where that was, and goes on to the function that asks the engine, which leaves registers alone, too.
//!
//! ```text
//! On entry                                    After `rosser_begin`
//!
//!   rdi   the address                           rdi   the address
//!   rbp   the frame of the program's function   rbp   the same
//!   rax   whatever; lost                        rax   free; `al` = 1 on success
//!   r11   whatever; lost                        r11   the cell of the address
//!   others: kept                                esi   the bytes of the access, a bit for each
//!                                               ecx   its id
//!                                               rdx   its place; later masks and flags of the cell, in `edx`
//!
//! The stack                                   Masks and flags, as they are in the cell and in `edx`
//!
//!   [rsp + 24]  where the call returns to       31     24 23     16 15      8 7       0
//!   [rsp + 16]  the program's rcx               ┌────────┬─────────┬─────────┬────────┐
//!   [rsp +  8]  the program's rdx               │ flags  │ other   │ accessor│ writer │
//!   [rsp]       the program's rsi               └────────┴─────────┴─────────┴────────┘
//!                                                           bytes     bytes: dh bytes: dl
//! ```
//!
//! Labels begin with the name of the function. `done` returns; `give_up` leaves behind where the access was made and goes
//! on to the slow function, with all registers as they were. What lies between them, in order: reads look whether the
//! *writer* precedes, then what becomes of the *accessor*, the last one to come, and of the *other*, an older one whose
//! bytes have still to be known; writes do the same with all three.

#[cfg(rosser_inline)]
mod called;
#[cfg(rosser_inline)]
mod calls;
mod lookups;
mod writes;

use std::arch::global_asm;
use std::mem::offset_of;

use rosser_detect::serial::cell::{
    ACCESSOR_INEXACT, Cell, FREED, MANY, OTHER_WRITES, RECORD, THINNED, WRITER_INEXACT,
};
use rosser_detect::serial::present::Present;
use rosser_detect::serial::readers::{Joined, Readers};

use crate::backend::serial::places::{Place, Places};
use crate::backtrace::Here;
use crate::checked::{CHECKED, Checked};
use crate::layout::{MASK, SHADOW};
use crate::sites::{Now, Sites};
use crate::stack::StackBounds;

const PRESENT: usize = offset_of!(Checked, engine.judge.strong.present);
const JOINED: usize = offset_of!(Checked, engine.judge.readers.joined);
const NOW: usize = offset_of!(Checked, sites) + offset_of!(Sites, now);
const HERE: usize = offset_of!(Checked, here);
const PLACES: usize = offset_of!(Checked, places);

global_asm!(
    r"
    // Lets `rdx` be the place for what is in `eax`.
    .macro rosser_place
        mov ecx, eax
        shr ecx, {places_mix}
        xor ecx, eax
        and ecx, {places_mask}
        lea rdx, [rip + {checked} + {places}]
        lea rdx, [rdx + rcx * {place_factor}]
    .endm

    // What reads and writes have in common, up to the id.
    .macro rosser_begin name, bytes, reads
        .p2align 5
        .globl \name
        .type \name, @function
    \name:
        lea r11, [rdi + rdi]
        movabs rax, {mask}
        and r11, rax
        movabs rax, {shadow}
        add r11, rax
        .if \reads
        rosser_leave_to_others
        .endif
        push rcx
        push rdx
        push rsi
        lea rdx, [rsp + 24]
        cmp rdx, [rip + {checked} + {limit}]
        jb .L\name\()_deeper
    .L\name\()_stack_is_noted:
        mov esi, \bytes
        .if \bytes != 0xff
        mov ecx, edi
        and ecx, 7
        shl esi, cl
        .endif
        // On the task's own stack?
        cmp rdi, rdx
        jb .L\name\()_not_private
        cmp rdi, [rip + {checked} + {private_top}]
        jb .L\name\()_private
    .L\name\()_not_private:
        mov rax, [rsp + 24]
        rosser_place
        cmp rax, [rdx + {returns_to}]
        jne .L\name\()_give_up
        mov rax, [rbp + 8]
        cmp rax, [rdx + {caller}]
        jne .L\name\()_other_caller
    .L\name\()_same_caller:
        mov ecx, [rdx + {id}]
        cmp ecx, [rip + {checked} + {base}]
        jb .L\name\()_new_to_the_step
    .L\name\()_has_id:
    .endm

    // Returns if the read is left to others that stand in for it, whatever bytes it is of.
    .macro rosser_leave_to_others
        cmp dword ptr [rip + {checked} + {may_be_left}], 0
        je .Lrosser_leave_to_others_not_left_\@
        dec dword ptr [rip + {checked} + {may_be_left}]
        mov eax, [r11 + {masks}]
        and eax, 0xffffff00 & ~(({accessor_inexact} | {writer_inexact}) << 24)
        cmp eax, {thinned} << 24 | 0xffff00
        jne .Lrosser_leave_to_others_not_left_\@
        mov eax, [r11 + {accessor}]
        cmp eax, [rip + {checked} + {parallel}]
        jb .Lrosser_leave_to_others_not_left_\@
        cmp eax, [rip + {checked} + {serial}]
        jae .Lrosser_leave_to_others_not_left_\@
        mov eax, [r11 + {writer}]
        cmp eax, [rip + {checked} + {floor}]
        jae .Lrosser_leave_to_others_not_left_\@
        mov al, 1
        ret
    .Lrosser_leave_to_others_not_left_\@:
    .endm

    // How they end: an access to the task's own stack, success, failure.
    .macro rosser_end name, slowly
        // The stack has not been so deep in this task.
    .L\name\()_deeper:
        cmp qword ptr [rip + {checked} + {limit}], -1
        je .L\name\()_give_up
        mov [rip + {checked} + {lowest}], rdx
        mov [rip + {checked} + {limit}], rdx
        jmp .L\name\()_stack_is_noted
        // Another caller, which may not matter. If it does, the place may be elsewhere with this one.
    .L\name\()_other_caller:
        cmp dword ptr [rdx + {reach}], 0
        je .L\name\()_same_caller
        add eax, [rdx + {returns_to}]
        rosser_place
        mov rax, [rsp + 24]
        cmp rax, [rdx + {returns_to}]
        jne .L\name\()_give_up
        mov rax, [rbp + 8]
        cmp rax, [rdx + {caller}]
        jne .L\name\()_give_up
        mov ecx, [rdx + {id}]
        cmp ecx, [rip + {checked} + {base}]
        jb .L\name\()_new_to_the_step
        call rosser_to_front
        jmp .L\name\()_has_id
        // The step has not been at this place.
    .L\name\()_new_to_the_step:
        mov eax, [rdx + {site}]
        test eax, eax
        jz .L\name\()_give_up
        mov ecx, [rdx + {reach}]
        test ecx, ecx
        jz .L\name\()_log_the_site
        cmp ecx, {outside}
        je .L\name\()_witness_is_outside
        add rcx, rbp
        cmp rcx, [rip + {checked} + {stack_high}]
        jae .L\name\()_give_up
        mov ecx, [rcx]
        cmp ecx, [rdx + {witness}]
        je .L\name\()_log_the_site
        jmp .L\name\()_give_up
    .L\name\()_witness_is_outside:
        mov rcx, [rip + {checked} + {task_top}]
        sub rcx, rbp
        cmp rcx, {highest}
        jae .L\name\()_give_up
        shl ecx, {height_shift}
        or ecx, [rip + {checked} + {task_outside}]
        cmp ecx, [rdx + {witness}]
        jne .L\name\()_give_up
    .L\name\()_log_the_site:
        call rosser_new_id
        je .L\name\()_give_up
        mov [rdx + {id}], ecx
        mov qword ptr [rdx + {before} + 8], -1
        jmp .L\name\()_has_id
    .L\name\()_private_id:
        xor eax, eax
        call rosser_new_id
        je .L\name\()_give_up
        mov [rip + {checked} + {private}], ecx
        jmp .L\name\()_private_has_id
    .L\name\()_private:
        mov ecx, [rip + {checked} + {private}]
        cmp ecx, [rip + {checked} + {base}]
        jb .L\name\()_private_id
    .L\name\()_private_has_id:
        test byte ptr [r11 + {flags}], {record}
        jnz .L\name\()_give_up
        cmp ecx, [r11 + {writer}]
        jne .L\name\()_private_written
        or sil, [r11 + {writer_mask}]
    .L\name\()_private_written:
        rosser_written
    .L\name\()_done:
        mov al, 1
        pop rsi
        pop rdx
        pop rcx
        ret
    .L\name\()_give_up:
        mov rax, [rsp + 24]
        dec rax
        mov [rip + {checked} + {pc}], rax
        lea rax, [rsp + 24]
        mov [rip + {checked} + {sp}], rax
        mov [rip + {checked} + {frame}], rbp
        pop rsi
        pop rdx
        pop rcx
        jmp \slowly
        .size \name, . - \name
    .endm

    // The bytes in `esi` were written, and nothing else is known. Cells are read eight bytes at a time:
    // if they were written otherwise just before, the processor would wait.
    .macro rosser_written
        movzx esi, sil
        imul esi, esi, 0x101
        shl rsi, 32
        mov [r11 + 8], rsi
        mov esi, ecx
        shl rcx, 32
        or rcx, rsi
        mov [r11], rcx
    .endm

    // Gives up unless the access in `eax` precedes the present step.
    .macro rosser_must_precede name
        cmp eax, [rip + {checked} + {floor}]
        jb .Lrosser_must_precede_precedes_\@
        cmp eax, [rip + {checked} + {serial}]
        jae .Lrosser_must_precede_precedes_\@
        call rosser_relation
        jae .L\name\()_give_up
    .Lrosser_must_precede_precedes_\@:
    .endm

    // Gives up unless the access precedes the present step, or has not been to the bytes in `esi`. Its
    // mask is in `edx`.
    .macro rosser_must_precede_there name, id, mask
        mov eax, [r11 + \id]
        cmp eax, [rip + {checked} + {floor}]
        jb .Lrosser_must_precede_there_precedes_\@
        cmp eax, [rip + {checked} + {serial}]
        jae .Lrosser_must_precede_there_precedes_\@
        mov eax, edx
        shr eax, \mask
        test al, sil
        jz .Lrosser_must_precede_there_precedes_\@
        mov eax, [r11 + \id]
        call rosser_relation
        jae .L\name\()_give_up
    .Lrosser_must_precede_there_precedes_\@:
    .endm

    // Goes elsewhere unless the access is in the topmost parallel span. Clobbers `eax`.
    .macro rosser_must_be_alike id, elsewhere
        mov eax, [r11 + \id]
        cmp eax, [rip + {checked} + {alike}]
        jb \elsewhere
        cmp eax, [rip + {checked} + {serial}]
        jae \elsewhere
    .endm

    // Takes the bytes in `esi` from the other, a reader that is not settled, if it precedes.
    .macro rosser_drop_other name
        mov eax, esi
        shl eax, 16
        test edx, eax
        jz .Lrosser_drop_other_is_dropped_\@
        mov eax, [r11 + {other}]
        call rosser_relation
        jb .Lrosser_drop_other_drop_bytes_\@
        je .Lrosser_drop_other_is_dropped_\@
        jmp .L\name\()_give_up
    .Lrosser_drop_other_drop_bytes_\@:
        mov eax, esi
        shl eax, 16
        not eax
        and edx, eax
    .Lrosser_drop_other_is_dropped_\@:
    .endm

    // Neighbouring words mostly have the same history, and a place reads one after the other. So it
    // remembers the last cell it has found, and what became of it. Of words that are read in halves
    // the first half counts.
    .macro rosser_repeat name, bytes
        .if \bytes == 0xf || \bytes == 0xff
        .if \bytes == 0xf
        test edi, 4
        jnz .Lrosser_repeat_not_repeated_\@
        .endif
        mov rax, [r11]
        cmp rax, [rdx + {before}]
        jne .Lrosser_repeat_remember_cell_\@
        mov rax, [r11 + 8]
        cmp rax, [rdx + {before} + 8]
        jne .Lrosser_repeat_remember_cell_\@
        mov rax, [rdx + {after}]
        mov [r11], rax
        mov rax, [rdx + {after} + 8]
        mov [r11 + 8], rax
        jmp .L\name\()_done
    .Lrosser_repeat_remember_cell_\@:
        mov rax, [r11]
        mov [rip + {checked} + {found}], rax
        mov rax, [r11 + 8]
        mov [rip + {checked} + {found} + 8], rax
        mov [rip + {checked} + {found_by}], rdx
    .Lrosser_repeat_not_repeated_\@:
        .endif
    .endm

    .macro rosser_remember name, bytes
        .if \bytes == 0xf || \bytes == 0xff
        .if \bytes == 0xf
        test edi, 4
        jnz .L\name\()_done
        .endif
        mov rsi, [rip + {checked} + {found_by}]
        mov [rsi + {after}], rcx
        mov [rsi + {after} + 8], rdx
        mov rax, [rip + {checked} + {found}]
        mov [rsi + {before}], rax
        mov rax, [rip + {checked} + {found} + 8]
        mov [rsi + {before} + 8], rax
        .endif
    .endm

    // Sets the accessor to `ecx`, the masks and flags to `edx`; then `rcx` and `rdx` are the cell.
    .macro rosser_set
        mov eax, [r11 + {writer}]
        shl rcx, 32
        or rcx, rax
        mov [r11], rcx
        mov eax, [r11 + {other}]
        shl rdx, 32
        or rdx, rax
        mov [r11 + 8], rdx
    .endm

    // `edx` is the masks and the flags.
    .macro rosser_read name, bytes, slowly
        rosser_begin \name, \bytes, 1
        rosser_repeat \name, \bytes
        mov edx, [r11 + {masks}]
        test edx, ({record} | {many} | {other_writes}) << 24
        jnz .L\name\()_record_or_list
        mov eax, [r11 + {writer}]
        cmp eax, [rip + {checked} + {settled}]
        jae .L\name\()_writer_unsettled
        mov eax, [r11 + {accessor}]
        cmp eax, [rip + {checked} + {settled}]
        jae .L\name\()_accessor_unsettled
        // The writer precedes and nothing of the accessor has to be kept. Of the other?
    .L\name\()_drop_accessor:
        mov eax, [r11 + {other}]
        cmp eax, [rip + {checked} + {settled}]
        jae .L\name\()_drop_accessor_and_of_other
        and edx, 0xff0000ff
        jmp .L\name\()_set_accessor
    .L\name\()_drop_accessor_and_of_other:
        rosser_drop_other \name
        and edx, 0xffff00ff
        jmp .L\name\()_set_accessor
        // The writer is not settled, but it may precede.
    .L\name\()_writer_unsettled:
        rosser_must_precede_there \name, {writer}, 0
        mov eax, [r11 + {writer}]
        cmp eax, [r11 + {accessor}]
        jne .L\name\()_look_at_accessor
        cmp eax, [rip + {checked} + {base}]
        jae .L\name\()_own_accessor
        mov al, dl
        not al
        test al, dh
        jz .L\name\()_drop_accessor
    .L\name\()_look_at_accessor:
        mov eax, [r11 + {accessor}]
        cmp eax, [rip + {checked} + {settled}]
        jb .L\name\()_drop_accessor
        // The accessor is not settled: is it parallel?
    .L\name\()_accessor_unsettled:
        cmp eax, [rip + {checked} + {base}]
        jae .L\name\()_own_accessor
        cmp eax, [rip + {checked} + {serial}]
        jae .L\name\()_accessor_precedes
        cmp eax, [rip + {checked} + {parallel}]
        jae .L\name\()_accessor_parallel
        call rosser_relation
        jb .L\name\()_accessor_precedes
        jne .L\name\()_give_up
        // It becomes the other, or the other stands for it.
    .L\name\()_accessor_parallel:
        test edx, 0xff0000
        jz .L\name\()_accessor_becomes_other
        mov eax, [r11 + {other}]
        cmp eax, [rip + {checked} + {settled}]
        jae .L\name\()_other_stands_in
        mov eax, [r11 + {accessor}]
    .L\name\()_accessor_becomes_other:
        mov [r11 + {other}], eax
        movzx eax, dh
        shl eax, 16
        and edx, 0xff0000ff & ~({thinned} << 24)
        or edx, eax
        jmp .L\name\()_set_accessor
    .L\name\()_other_stands_in:
        mov eax, edx
        shr eax, 16
        not al
        test al, dh
        jnz .L\name\()_unite_readers
        cmp dword ptr [rip + {checked} + {every_reader}], 0
        jne .L\name\()_unite_readers
        and edx, 0xffff00ff
        or edx, {thinned} << 24
        jmp .L\name\()_set_accessor
        // If nothing tells the two readers apart, one stands for both.
    .L\name\()_unite_readers:
        mov eax, [r11 + {writer}]
        cmp eax, [rip + {checked} + {alike}]
        jae .L\name\()_give_up
        rosser_must_be_alike {other}, .L\name\()_give_up
        rosser_must_be_alike {accessor}, .L\name\()_give_up
        call rosser_same_site_as_accessor
        jne .L\name\()_give_up
        movzx eax, dh
        shl eax, 16
        or edx, eax
        and edx, 0xffff00ff
        or edx, {thinned} << 24
        jmp .L\name\()_set_accessor
        // It precedes: what is left of it becomes the other.
    .L\name\()_accessor_precedes:
        mov eax, [r11 + {other}]
        cmp eax, [rip + {checked} + {settled}]
        jae .L\name\()_accessor_precedes_and_other
        and edx, 0xff00ffff
        jmp .L\name\()_left_of_accessor
    .L\name\()_accessor_precedes_and_other:
        rosser_drop_other \name
    .L\name\()_left_of_accessor:
        mov eax, esi
        not al
        and al, dh
        jz .L\name\()_nothing_left
        test edx, 0xff0000
        jnz .L\name\()_give_up
        movzx eax, al
        shl eax, 16
        or edx, eax
        and edx, ~({thinned} << 24)
        mov eax, [r11 + {accessor}]
        mov [r11 + {other}], eax
    .L\name\()_nothing_left:
        and edx, 0xffff00ff
        jmp .L\name\()_set_accessor
        // The present step has accessed other bytes.
    .L\name\()_own_accessor:
        mov eax, edx
        shr eax, 16
        test al, dh
        jnz .L\name\()_own_inexact
        // The other has read bytes that the step has not.
        mov eax, [r11 + {other}]
        cmp eax, [rip + {checked} + {settled}]
        jae .L\name\()_own_and_other
        and edx, 0xff00ffff
        jmp .L\name\()_own_inexact
    .L\name\()_own_and_other:
        rosser_drop_other \name
    .L\name\()_own_inexact:
        cmp ecx, [r11 + {accessor}]
        je .L\name\()_own_masks
        or edx, {accessor_inexact} << 24
    .L\name\()_own_masks:
        shl esi, 8
        or edx, esi
        mov [r11 + {masks}], edx
        jmp .L\name\()_done
    .L\name\()_set_accessor:
        shl esi, 8
        or edx, esi
        and edx, ~({accessor_inexact} << 24)
        .if \bytes == 0xf || \bytes == 0xff
        rosser_set
        rosser_remember \name, \bytes
        .else
        mov [r11 + {accessor}], ecx
        mov [r11 + {masks}], edx
        .endif
        jmp .L\name\()_done
        // There is a record or a list of readers, or the other has written.
    .L\name\()_record_or_list:
        test edx, {record} << 24
        jnz .L\name\()_give_up
        test edx, {many} << 24
        jnz .L\name\()_list
        rosser_must_precede_there \name, {writer}, 0
        mov eax, [r11 + {accessor}]
        cmp eax, [rip + {checked} + {base}]
        jae .L\name\()_accessor_settled
        cmp eax, [rip + {checked} + {settled}]
        jb .L\name\()_accessor_settled
        cmp eax, [r11 + {writer}]
        jne .L\name\()_not_all_is_written
        mov al, dl
        not al
        test al, dh
        jz .L\name\()_accessor_settled
        // What the step has written, it may read.
    .L\name\()_not_all_is_written:
        mov eax, [r11 + {writer}]
        cmp eax, [rip + {checked} + {base}]
        jb .L\name\()_must_be_read
        mov al, dl
        not al
        test al, sil
        jz .L\name\()_done
        // Else all bytes of the accessor have to be read now, or written by its own step.
    .L\name\()_must_be_read:
        rosser_must_precede_there \name, {other}, 16
        mov eax, [r11 + {accessor}]
        rosser_must_precede \name
        push r8
        mov r8d, eax
        mov eax, esi
        cmp r8d, [r11 + {writer}]
        ja .L\name\()_with_written
        or al, dl
    .L\name\()_with_written:
        cmp r8d, [r11 + {other}]
        ja .L\name\()_is_read
        mov r8d, edx
        shr r8d, 16
        or al, r8b
    .L\name\()_is_read:
        pop r8
        not al
        test al, dh
        jnz .L\name\()_give_up
    .L\name\()_all_is_read:
        and edx, 0xffff00ff
        jmp .L\name\()_set_accessor
    .L\name\()_accessor_settled:
        rosser_must_precede_there \name, {other}, 16
        mov eax, [r11 + {accessor}]
        cmp eax, [rip + {checked} + {base}]
        jae .L\name\()_own_inexact
        jmp .L\name\()_all_is_read
        // The accessor goes into the list, if it has gone into the same one lately.
    .L\name\()_list:
        mov eax, [r11 + {writer}]
        rosser_must_precede \name
        cmp eax, [r11 + {accessor}]
        je .L\name\()_give_up
        push r8
        mov r8d, [r11 + {accessor}]
        and r8d, {joined_mask}
        shl r8d, {joined_shift}
        lea rax, [rip + {checked} + {joined}]
        add r8, rax
        mov eax, [r11 + {accessor}]
        cmp eax, [r8 + {joined_accessor}]
        jne .L\name\()_give_up_r8
        mov eax, [r11 + {other}]
        cmp eax, [r8 + {joined_older}]
        jne .L\name\()_give_up_r8
        test edx, {accessor_inexact} << 24
        jnz .L\name\()_give_up_r8
        mov eax, edx
        shr eax, 16
        cmp al, dh
        jne .L\name\()_give_up_r8
        mov eax, [r8 + {joined_list}]
        pop r8
        mov [r11 + {other}], eax
        and edx, 0xffff00ff
        jmp .L\name\()_set_accessor
    .L\name\()_give_up_r8:
        pop r8
        jmp .L\name\()_give_up
        rosser_end \name, \slowly
    .endm
    ",
    writes::asm!(),
    r"
    rosser_read rosser_first_read1, 0x1, rosser_read_slowly1
    rosser_read rosser_first_read2, 0x3, rosser_read_slowly2
    rosser_read rosser_first_read3, 0x7, rosser_read_slowly3
    rosser_read rosser_first_read4, 0xf, rosser_read_slowly4
    rosser_read rosser_first_read5, 0x1f, rosser_read_slowly5
    rosser_read rosser_first_read6, 0x3f, rosser_read_slowly6
    rosser_read rosser_first_read7, 0x7f, rosser_read_slowly7
    rosser_read rosser_first_read8, 0xff, rosser_read_slowly8
    rosser_write rosser_first_write1, 0x1, rosser_write_slowly1
    rosser_write rosser_first_write2, 0x3, rosser_write_slowly2
    rosser_write rosser_first_write3, 0x7, rosser_write_slowly3
    rosser_write rosser_first_write4, 0xf, rosser_write_slowly4
    rosser_write rosser_first_write5, 0x1f, rosser_write_slowly5
    rosser_write rosser_first_write6, 0x3f, rosser_write_slowly6
    rosser_write rosser_first_write7, 0x7f, rosser_write_slowly7
    rosser_write rosser_first_write8, 0xff, rosser_write_slowly8

    .purgem rosser_read
    .purgem rosser_write
    .purgem rosser_begin
    .purgem rosser_place
    .purgem rosser_end
    .purgem rosser_leave_to_others
    .purgem rosser_must_precede
    .purgem rosser_must_precede_there
    .purgem rosser_must_be_alike
    .purgem rosser_drop_other
    .purgem rosser_repeat
    .purgem rosser_remember
    .purgem rosser_set
    .purgem rosser_written
    ",
    checked = sym CHECKED,
    limit = const offset_of!(Checked, limit),
    lowest = const offset_of!(Checked, lowest),
    private_top = const offset_of!(Checked, private_top),
    places = const PLACES,
    places_mask = const (Places::LEN - 1) * Places::APART,
    places_mix = const Places::MIX,
    place_factor = const size_of::<Place>() / Places::APART,
    returns_to = const offset_of!(Place, returns_to),
    caller = const offset_of!(Place, caller),
    reach = const offset_of!(Place, reach),
    witness = const offset_of!(Place, witness),
    before = const offset_of!(Place, before),
    after = const offset_of!(Place, after),
    found = const PLACES + offset_of!(Places, found),
    found_by = const PLACES + offset_of!(Places, found_by),
    outside = const Place::OUTSIDE as i32,
    stack_high = const offset_of!(Checked, stack) + offset_of!(StackBounds, high),
    task_top = const NOW + offset_of!(Now, top),
    task_outside = const NOW + offset_of!(Now, outside),
    highest = const Now::HIGHEST,
    height_shift = const Now::SHIFT,
    id = const offset_of!(Place, id),
    site = const offset_of!(Place, site),
    pc = const HERE + offset_of!(Here, pc),
    sp = const HERE + offset_of!(Here, sp),
    frame = const HERE + offset_of!(Here, frame),
    base = const PRESENT + offset_of!(Present, base),
    private = const PRESENT + offset_of!(Present, private),
    settled = const PRESENT + offset_of!(Present, settled),
    floor = const PRESENT + offset_of!(Present, floor),
    parallel = const PRESENT + offset_of!(Present, parallel),
    serial = const PRESENT + offset_of!(Present, serial),
    alike = const PRESENT + offset_of!(Present, alike),
    may_be_left = const PRESENT + offset_of!(Present, may_be_left),
    every_reader = const PRESENT + offset_of!(Present, every_reader),
    joined = const JOINED,
    joined_mask = const Readers::JOINED - 1,
    joined_shift = const size_of::<Joined>().ilog2(),
    joined_accessor = const offset_of!(Joined, accessor),
    joined_older = const offset_of!(Joined, older),
    joined_list = const offset_of!(Joined, list),
    writer = const offset_of!(Cell, writer),
    accessor = const offset_of!(Cell, accessor),
    other = const offset_of!(Cell, other),
    masks = const offset_of!(Cell, writer_mask),
    writer_mask = const offset_of!(Cell, writer_mask),
    flags = const offset_of!(Cell, flags),
    record = const RECORD,
    many = const MANY,
    other_writes = const OTHER_WRITES,
    thinned = const THINNED,
    accessor_inexact = const ACCESSOR_INEXACT,
    writer_inexact = const WRITER_INEXACT,
    freed = const FREED,
    mask = const MASK * 2,
    shadow = const SHADOW,
);

// The masks and the flags of a cell are written as one word.
const _: () = assert!(
    offset_of!(Cell, accessor_mask) == offset_of!(Cell, writer_mask) + 1
        && offset_of!(Cell, other_mask) == offset_of!(Cell, writer_mask) + 2
        && offset_of!(Cell, flags) == offset_of!(Cell, writer_mask) + 3
);
const _: () = assert!(size_of::<Place>() / Places::APART == 8);
const _: () = assert!(Readers::JOINED.is_power_of_two() && size_of::<Joined>().is_power_of_two());

#[cfg(rosser_inline)]
pub(crate) use called::called;
#[cfg(rosser_inline)]
pub use calls::{read, write};

#[cfg(test)]
mod tests;
