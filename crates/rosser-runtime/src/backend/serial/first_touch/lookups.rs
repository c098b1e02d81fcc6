//! What the functions of [`super`] look up: a new id, and who precedes. They take no registers but those
//! that are said.

use std::arch::global_asm;
use std::mem::offset_of;

use rosser_detect::serial::cell::Cell;
use rosser_detect::serial::log::Log;
use rosser_detect::serial::present::Present;
use rosser_detect::serial::verdicts::{Verdict, Verdicts};

use crate::backend::serial::places::{Place, Places};
use crate::checked::{CHECKED, Checked};

const PRESENT: usize = offset_of!(Checked, engine.judge.strong.present);
const VERDICTS: usize = offset_of!(Checked, engine.judge.strong.verdicts);
const LOG: usize = offset_of!(Checked, engine.judge.numbering.log);

global_asm!(
    r"
    // Logs a site, in `eax`, and returns its id in `ecx`; or says zero if the engine has to be asked.
    .p2align 4
    .globl rosser_new_id
    .hidden rosser_new_id
    .type rosser_new_id, @function
    rosser_new_id:
        mov ecx, [rip + {checked} + {log_len}]
        cmp ecx, [rip + {checked} + {unprepared}]
        je .Lrosser_new_id_done
        cmp ecx, -1
        je .Lrosser_new_id_done
        push r8
        mov r8d, ecx
        sub r8d, [rip + {checked} + {log_origin}]
        shl r8, 2
        add r8, [rip + {checked} + {log}]
        mov [r8], eax
        pop r8
        inc dword ptr [rip + {checked} + {log_len}]
    .Lrosser_new_id_done:
        ret
        .size rosser_new_id, . - rosser_new_id

    // Whether the other and the accessor, or the writer, were logged at the same site: `ZF`. Clobbers `eax`.
    .p2align 4
    .globl rosser_same_site_as_accessor
    .hidden rosser_same_site_as_accessor
    .type rosser_same_site_as_accessor, @function
    .globl rosser_same_site_as_writer
    .hidden rosser_same_site_as_writer
    .type rosser_same_site_as_writer, @function
    rosser_same_site_as_accessor:
        mov eax, [r11 + {accessor}]
        jmp .Lrosser_same_site
    rosser_same_site_as_writer:
        mov eax, [r11 + {writer}]
    .Lrosser_same_site:
        push r8
        push r9
        mov r8, [rip + {checked} + {log}]
        sub eax, [rip + {checked} + {log_origin}]
        mov r9d, [r8 + rax * 4]
        mov eax, [r11 + {other}]
        sub eax, [rip + {checked} + {log_origin}]
        cmp r9d, [r8 + rax * 4]
        pop r9
        pop r8
        ret
        .size rosser_same_site_as_accessor, . - rosser_same_site_as_accessor

    // A step comes again to a place, in `rdx`, that is not where it is looked for first. It is going to
    // be there, from where one goes that the step has not been at. Takes `rax`.
    .p2align 4
    .globl rosser_to_front
    .hidden rosser_to_front
    .type rosser_to_front, @function
    rosser_to_front:
        push r8
        push r9
        lea r9, [rip + {checked} + {places}]
        mov eax, [rdx + {returns_to}]
        mov r8d, eax
        shr r8d, {places_mix}
        xor r8d, eax
        and r8d, {places_mask}
        lea r8, [r9 + r8 * {place_factor}]
        mov eax, [r8 + {place_id}]
        cmp eax, [rip + {checked} + {base}]
        jae .Lrosser_to_front_is_free
        push rcx
        mov eax, [r8 + {returns_to}]
        add eax, [r8 + {caller}]
        mov ecx, eax
        shr ecx, {places_mix}
        xor ecx, eax
        and ecx, {places_mask}
        lea r9, [r9 + rcx * {place_factor}]
        .irp word, 0, 1, 2, 3, 4, 5, 6, 7
        mov rax, [r8 + \word * 8]
        mov rcx, [rdx + \word * 8]
        mov [r9 + \word * 8], rax
        mov [r8 + \word * 8], rcx
        .endr
        mov rdx, r8
        pop rcx
    .Lrosser_to_front_is_free:
        pop r9
        pop r8
        ret
        .size rosser_to_front, . - rosser_to_front

    // Looks whether the access in `eax` precedes the present step (below), is parallel with it (equal)
    // or neither is known (above): first among the ranges, then among the verdicts.
    .p2align 4
    .globl rosser_relation
    .hidden rosser_relation
    .type rosser_relation, @function
    rosser_relation:
        cmp eax, [rip + {checked} + {floor}]
        jb .Lrosser_relation_done
        cmp eax, [rip + {checked} + {serial}]
        jae .Lrosser_relation_precedes_as_carry
        cmp eax, [rip + {checked} + {parallel}]
        jae .Lrosser_relation_parallel
        cmp eax, [rip + {checked} + {earlier}]
        jb .Lrosser_relation_not_among_earlier
        cmp eax, [rip + {checked} + {earlier} + 4]
        jb .Lrosser_relation_done
    .Lrosser_relation_not_among_earlier:
        .irp range, 0, 1, 2, 3
        cmp eax, [rip + {checked} + {also_parallel} + \range * 8]
        jb .Lrosser_relation_not_in_\range
        cmp eax, [rip + {checked} + {also_parallel} + \range * 8 + 4]
        jb .Lrosser_relation_parallel
    .Lrosser_relation_not_in_\range:
        .endr
        push r8
        push r9
        lea r8, [rip + {checked} + {verdicts}]
        mov r9d, eax
        and r9d, {verdicts_mask}
        cmp eax, [r8 + r9 * 8 + {verdict_id}]
        jne .Lrosser_relation_is_unknown
        mov r9d, [r8 + r9 * 8 + {verdict_stamp}]
        xor r9d, [rip + {checked} + {stamp}]
        cmp r9d, 1
        pop r9
        pop r8
        ret
    .Lrosser_relation_is_unknown:
        cmp rsp, 0
        pop r9
        pop r8
        ret
    .Lrosser_relation_precedes_as_carry:
        stc
    .Lrosser_relation_done:
        ret
    .Lrosser_relation_parallel:
        cmp eax, eax
        ret
        .size rosser_relation, . - rosser_relation
    ",
    checked = sym CHECKED,
    writer = const offset_of!(Cell, writer),
    accessor = const offset_of!(Cell, accessor),
    other = const offset_of!(Cell, other),
    log = const offset_of!(Checked, log),
    log_origin = const LOG + offset_of!(Log, origin),
    log_len = const LOG + offset_of!(Log, len),
    base = const PRESENT + offset_of!(Present, base),
    places = const offset_of!(Checked, places),
    places_mask = const (Places::LEN - 1) * Places::APART,
    places_mix = const Places::MIX,
    place_factor = const size_of::<Place>() / Places::APART,
    returns_to = const offset_of!(Place, returns_to),
    caller = const offset_of!(Place, caller),
    place_id = const offset_of!(Place, id),
    unprepared = const PRESENT + offset_of!(Present, unprepared),
    floor = const PRESENT + offset_of!(Present, floor),
    parallel = const PRESENT + offset_of!(Present, parallel),
    serial = const PRESENT + offset_of!(Present, serial),
    also_parallel = const PRESENT + offset_of!(Present, also_parallel),
    earlier = const PRESENT + offset_of!(Present, earlier),
    stamp = const VERDICTS + offset_of!(Verdicts, stamp),
    verdicts = const VERDICTS + offset_of!(Verdicts, answers),
    verdicts_mask = const Verdicts::LEN - 1,
    verdict_id = const offset_of!(Verdict, id),
    verdict_stamp = const offset_of!(Verdict, stamp),
);

const _: () = assert!(size_of::<Place>() == 8 * 8);
const _: () = assert!(size_of::<Verdict>() == 8 && Verdicts::LEN.is_power_of_two());
