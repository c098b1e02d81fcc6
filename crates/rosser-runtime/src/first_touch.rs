//! A step comes to a word for the first time: what the fast path calls.
//!
//! Programs with many short steps spend their time here, in the middle of their loops. So this is
//! assembly, for the sake of the registers: it leaves all but two alone (`rust-cold`), takes nothing
//! but the address, and finds out by itself where it was called. It does what
//! [`Checked::touch_quickly`] does with the quick functions of `rosser-shadow`, or gives up in the
//! rarer cases. Then it leaves behind where that was, and the engine is asked.

use std::arch::global_asm;
use std::mem::offset_of;

use rosser_shadow::cell::{
    ACCESSOR_INEXACT, Cell, FREED, MANY, OTHER_WRITES, RECORD, THINNED, WRITER_INEXACT,
};
use rosser_shadow::engine::Engine;
use rosser_shadow::quick::{Joined, Present};

use crate::backtrace::Here;
use crate::checked::{CHECKED, Checked};
use crate::places::{Place, Places};
use crate::shadow::{MASK, SHADOW};

const PRESENT: usize = offset_of!(Checked, engine) + offset_of!(Engine, present);
const HERE: usize = offset_of!(Checked, here);
const PLACES: usize = offset_of!(Checked, places);

// On entry `rdi` is the address, `[rsp]` where the call returns to and `rbp` the caller's frame;
// `al` says whether the access was made. In between, `r11` is the cell, `esi` the bytes, `ecx` the
// id and `edx` first where the return address is, then the base.
global_asm!(
    r"
    // What reads and writes have in common, up to the id.
    .macro rosser_begin name, bytes
        .p2align 5
        .globl \name
        .hidden \name
        .type \name, @function
    \name:
        push rcx
        push rdx
        push rsi
        lea rdx, [rsp + 24]
        cmp rdx, [rip + {checked} + {limit}]
        jb 99f
        mov esi, \bytes
        .if \bytes != 0xff
        mov ecx, edi
        and ecx, 7
        shl esi, cl
        .endif
        lea r11, [rdi + rdi]
        movabs rax, {mask}
        and r11, rax
        movabs rax, {shadow}
        add r11, rax
        // On the task's own stack?
        cmp rdi, rdx
        jb 10f
        cmp rdi, [rip + {checked} + {private_top}]
        jb 90f
    10:
        mov rax, [rdx]
        mov ecx, eax
        and ecx, {places_mask}
        lea rdx, [rip + {checked} + {places}]
        lea rdx, [rdx + rcx * {place_factor}]
        cmp rax, [rdx + {returns_to}]
        jne 99f
        mov rax, [rbp + 8]
        cmp rax, [rdx + {caller}]
        jne 99f
        mov ecx, [rdx + {id}]
        mov edx, [rip + {checked} + {base}]
        cmp ecx, edx
        jb 99f
    .endm

    // How they end: an access to the task's own stack, success, failure.
    .macro rosser_end name
    90:
        mov ecx, [rip + {checked} + {private}]
        cmp ecx, [rip + {checked} + {base}]
        jb 99f
        test byte ptr [r11 + {flags}], {record}
        jnz 99f
        cmp ecx, [r11 + {writer}]
        jne 91f
        or sil, [r11 + {writer_mask}]
    91:
        movzx esi, sil
        imul esi, esi, 0x101
        mov [r11 + {writer}], ecx
        mov [r11 + {accessor}], ecx
        mov dword ptr [r11 + {other}], 0
        mov [r11 + {masks}], esi
    98:
        mov al, 1
        pop rsi
        pop rdx
        pop rcx
        ret
    99:
        mov rax, [rsp + 24]
        dec rax
        mov [rip + {checked} + {pc}], rax
        lea rax, [rsp + 24]
        mov [rip + {checked} + {sp}], rax
        mov [rip + {checked} + {frame}], rbp
        xor eax, eax
        pop rsi
        pop rdx
        pop rcx
        ret
        .size \name, . - \name
    .endm

    // Gives up unless the access in `eax` precedes the present step.
    .macro rosser_must_precede
        cmp eax, [rip + {checked} + {floor}]
        jb 1f
        cmp eax, [rip + {checked} + {serial}]
        jae 1f
        cmp eax, [rip + {checked} + {earlier}]
        jb 99f
        cmp eax, [rip + {checked} + {earlier} + 4]
        jae 99f
    1:
    .endm

    // `edx` is the masks and the flags.
    .macro rosser_read name, bytes
        rosser_begin \name, \bytes
        mov edx, [r11 + {masks}]
        test edx, ({record} | {many} | {other_writes}) << 24
        jnz 60f
        mov eax, [r11 + {writer}]
        cmp eax, [rip + {checked} + {settled}]
        jae 30f
        mov eax, [r11 + {accessor}]
        cmp eax, [rip + {checked} + {settled}]
        jae 40f
        // The writer precedes and nothing of the accessor has to be kept. Of the other?
    20:
        mov eax, [r11 + {other}]
        cmp eax, [rip + {checked} + {settled}]
        jae 21f
        and edx, 0xff0000ff
        jmp 80f
    21:
        mov eax, esi
        shl eax, 16
        test edx, eax
        jnz 99f
        and edx, 0xffff00ff
        jmp 80f
        // The writer is not settled, but it may precede.
    30:
        rosser_must_precede
        cmp eax, [r11 + {accessor}]
        jne 32f
        cmp eax, [rip + {checked} + {base}]
        jae 50f
        mov al, dl
        not al
        test al, dh
        jz 20b
    32:
        mov eax, [r11 + {accessor}]
        cmp eax, [rip + {checked} + {settled}]
        jb 20b
        // The accessor is not settled: is it parallel?
    40:
        cmp eax, [rip + {checked} + {base}]
        jae 50f
        cmp eax, [rip + {checked} + {serial}]
        jae 44f
        cmp eax, [rip + {checked} + {parallel}]
        jae 41f
        .irp range, 0, 1, 2, 3
        cmp eax, [rip + {checked} + {also_parallel} + \range * 8]
        jb 2f
        cmp eax, [rip + {checked} + {also_parallel} + \range * 8 + 4]
        jb 41f
    2:
        .endr
        rosser_must_precede
        jmp 44f
        // It becomes the other, or the other stands for it.
    41:
        test edx, 0xff0000
        jz 42f
        mov eax, [r11 + {other}]
        cmp eax, [rip + {checked} + {settled}]
        jae 43f
        mov eax, [r11 + {accessor}]
    42:
        mov [r11 + {other}], eax
        movzx eax, dh
        shl eax, 16
        and edx, 0xff0000ff & ~({thinned} << 24)
        or edx, eax
        jmp 80f
    43:
        mov eax, edx
        shr eax, 16
        not al
        test al, dh
        jnz 99f
        cmp dword ptr [rip + {checked} + {every_reader}], 0
        jne 99f
        and edx, 0xffff00ff
        or edx, {thinned} << 24
        jmp 80f
        // It precedes: what is left of it becomes the other.
    44:
        test edx, 0xff0000
        jnz 99f
        mov eax, esi
        not al
        and al, dh
        and edx, 0xffff00ff
        test al, al
        jz 80f
        movzx eax, al
        shl eax, 16
        or edx, eax
        and edx, ~({thinned} << 24)
        mov eax, [r11 + {accessor}]
        mov [r11 + {other}], eax
        jmp 80f
        // The present step has accessed other bytes.
    50:
        mov eax, esi
        shl eax, 16
        test edx, eax
        jz 51f
        mov eax, edx
        shr eax, 16
        test al, dh
        jnz 51f
        // The other has read bytes that the step has not: it must precede.
        mov eax, [r11 + {other}]
        rosser_must_precede
        mov eax, esi
        shl eax, 16
        not eax
        and edx, eax
    51:
        cmp ecx, [r11 + {accessor}]
        je 52f
        or edx, {accessor_inexact} << 24
    52:
        shl esi, 8
        or edx, esi
        mov [r11 + {masks}], edx
        jmp 98f
    80:
        shl esi, 8
        or edx, esi
        and edx, ~({accessor_inexact} << 24)
        mov [r11 + {accessor}], ecx
        mov [r11 + {masks}], edx
        jmp 98f
        // There is a record or a list of readers, or the other has written.
    60:
        test edx, {record} << 24
        jnz 99f
        mov eax, [r11 + {writer}]
        rosser_must_precede
        test edx, {many} << 24
        jnz 70f
        mov eax, [r11 + {other}]
        rosser_must_precede
        mov eax, [r11 + {accessor}]
        cmp eax, [rip + {checked} + {base}]
        jae 51b
        cmp eax, [rip + {checked} + {settled}]
        jb 61f
        cmp eax, [r11 + {writer}]
        jne 99f
        mov al, dl
        not al
        test al, dh
        jnz 99f
    61:
        and edx, 0xffff00ff
        jmp 80b
        // The accessor goes into the list, if the last one that did was the same.
    70:
        cmp eax, [r11 + {accessor}]
        je 99f
        mov eax, [r11 + {accessor}]
        cmp eax, [rip + {checked} + {joined_accessor}]
        jne 99f
        mov eax, [r11 + {other}]
        cmp eax, [rip + {checked} + {joined_older}]
        jne 99f
        test edx, {accessor_inexact} << 24
        jnz 99f
        mov eax, edx
        shr eax, 16
        cmp al, dh
        jne 99f
        mov eax, [rip + {checked} + {joined_list}]
        mov [r11 + {other}], eax
        and edx, 0xffff00ff
        jmp 80b
        rosser_end \name
    .endm

    .macro rosser_write name, bytes
        rosser_begin \name, \bytes
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
        movzx esi, sil
        imul esi, esi, 0x101
        mov [r11 + {writer}], ecx
        mov [r11 + {accessor}], ecx
        mov dword ptr [r11 + {other}], 0
        mov [r11 + {masks}], esi
        jmp 98f
        // All must precede.
    30:
        mov eax, [r11 + {writer}]
        rosser_must_precede
        mov eax, [r11 + {accessor}]
        rosser_must_precede
        mov eax, [r11 + {other}]
        rosser_must_precede
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
        jnz 97f
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
    97:
        pop r8
        jmp 99f
        rosser_end \name
    .endm

    rosser_read rosser_first_read1, 0x1
    rosser_read rosser_first_read2, 0x3
    rosser_read rosser_first_read4, 0xf
    rosser_read rosser_first_read8, 0xff
    rosser_write rosser_first_write1, 0x1
    rosser_write rosser_first_write2, 0x3
    rosser_write rosser_first_write4, 0xf
    rosser_write rosser_first_write8, 0xff

    .purgem rosser_read
    .purgem rosser_write
    .purgem rosser_begin
    .purgem rosser_end
    .purgem rosser_must_precede
    ",
    checked = sym CHECKED,
    limit = const offset_of!(Checked, limit),
    private_top = const offset_of!(Checked, private_top),
    places = const PLACES,
    places_mask = const (Places::LEN - 1) * Places::APART,
    place_factor = const size_of::<Place>() / Places::APART,
    returns_to = const offset_of!(Place, returns_to),
    caller = const offset_of!(Place, caller),
    id = const offset_of!(Place, id),
    pc = const HERE + offset_of!(Here, pc),
    sp = const HERE + offset_of!(Here, sp),
    frame = const HERE + offset_of!(Here, frame),
    base = const PRESENT + offset_of!(Present, base),
    private = const PRESENT + offset_of!(Present, private),
    settled = const PRESENT + offset_of!(Present, settled),
    floor = const PRESENT + offset_of!(Present, floor),
    parallel = const PRESENT + offset_of!(Present, parallel),
    serial = const PRESENT + offset_of!(Present, serial),
    also_parallel = const PRESENT + offset_of!(Present, also_parallel),
    earlier = const PRESENT + offset_of!(Present, earlier),
    every_reader = const PRESENT + offset_of!(Present, every_reader),
    joined_accessor = const PRESENT + offset_of!(Present, joined) + offset_of!(Joined, accessor),
    joined_older = const PRESENT + offset_of!(Present, joined) + offset_of!(Joined, older),
    joined_list = const PRESENT + offset_of!(Present, joined) + offset_of!(Joined, list),
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

#[cfg(rosser_inline)]
pub use calls::{read, write};

#[cfg(rosser_inline)]
mod calls {
    use crate::access::bytes_of;
    use crate::checked::checked;

    unsafe extern "rust-cold" {
        #[cold]
        safe fn rosser_first_read1(address: usize) -> bool;
        #[cold]
        safe fn rosser_first_read2(address: usize) -> bool;
        #[cold]
        safe fn rosser_first_read4(address: usize) -> bool;
        #[cold]
        safe fn rosser_first_read8(address: usize) -> bool;
        #[cold]
        safe fn rosser_first_write1(address: usize) -> bool;
        #[cold]
        safe fn rosser_first_write2(address: usize) -> bool;
        #[cold]
        safe fn rosser_first_write4(address: usize) -> bool;
        #[cold]
        safe fn rosser_first_write8(address: usize) -> bool;
    }

    /// A read that its step has not made before.
    #[inline(always)]
    pub fn read<const SIZE: usize>(address: usize) {
        let done = match SIZE {
            1 => rosser_first_read1(address),
            2 => rosser_first_read2(address),
            4 => rosser_first_read4(address),
            _ => rosser_first_read8(address),
        };
        if !done {
            read_slowly::<SIZE>(address);
        }
    }

    /// A write that its step has not made before.
    #[inline(always)]
    pub fn write<const SIZE: usize>(address: usize) {
        let done = match SIZE {
            1 => rosser_first_write1(address),
            2 => rosser_first_write2(address),
            4 => rosser_first_write4(address),
            _ => rosser_first_write8(address),
        };
        if !done {
            write_slowly::<SIZE>(address);
        }
    }

    #[cold]
    #[inline(never)]
    extern "rust-cold" fn read_slowly<const SIZE: usize>(address: usize) {
        // SAFETY: with checks off the idle cell has every access take the fast path.
        unsafe { checked() }.read_slowly(address, bytes_of::<SIZE>(address));
    }

    #[cold]
    #[inline(never)]
    extern "rust-cold" fn write_slowly<const SIZE: usize>(address: usize) {
        // SAFETY: as above.
        unsafe { checked() }.write_slowly(address, bytes_of::<SIZE>(address));
    }
}

#[cfg(test)]
mod tests {
    use std::arch::asm;

    use rosser_shadow::cell::{Cell, FREED, MANY, OTHER_WRITES, RECORD, THINNED, WRITER_INEXACT};
    use rosser_shadow::engine::Engine;
    use rosser_shadow::quick::{Joined, Present, Range};

    use super::ACCESSOR_INEXACT;
    use crate::backtrace::Here;
    use crate::checked::{self, Checked};
    use crate::shadow::cell_of;

    unsafe extern "C" {
        fn rosser_first_read1();
        fn rosser_first_read4();
        fn rosser_first_read8();
        fn rosser_first_write1();
        fn rosser_first_write4();
        fn rosser_first_write8();
    }

    /// What a function's frame holds: its caller's frame and where it returns to.
    static FRAME: [usize; 2] = [0, 0x1234];

    /// Calls one of the functions, always from the same place.
    #[inline(never)]
    fn call(function: unsafe extern "C" fn(), address: usize) -> bool {
        let done: u8;
        // SAFETY: the functions take `rdi`, leave all but `al` and `r11` alone, and read the frame.
        unsafe {
            asm!(
                "push rbp",
                "push rbp",
                "mov rbp, {frame}",
                "call {function}",
                "pop rbp",
                "pop rbp",
                frame = in(reg) &raw const FRAME,
                function = in(reg) function,
                in("rdi") address,
                lateout("al") done,
                lateout("r11") _,
            );
        }
        done != 0
    }

    /// A small generator of numbers, below a limit each.
    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: u32) -> u32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((self.0 >> 33) % u64::from(limit)) as u32
        }

        fn mask(&mut self) -> u8 {
            [0x0f, 0xf0, 0xff, 0x01, 0x30, 0xfe][self.below(6) as usize]
        }
    }

    fn random_present(random: &mut Random, base: u32) -> Present {
        let mut sorted: Vec<u32> = (0..10).map(|_| 1 + random.below(base)).collect();
        sorted.sort_unstable();
        let range = |index: usize| Range { from: sorted[index], to: sorted[index + 1] };
        let (earlier, also) = if random.below(2) == 0 { (2, 4) } else { (4, 2) };
        Present {
            settled: sorted[0],
            floor: sorted[1],
            parallel: sorted[8],
            serial: sorted[9],
            also_parallel: [range(also), Range::default(), range(6), Range::default()],
            earlier: range(earlier),
            base,
            private: 0,
            known: 0,
            every_reader: random.below(2),
            joined: Joined {
                accessor: random.below(base),
                older: random.below(4),
                list: random.below(4),
            },
        }
    }

    fn random_cell(random: &mut Random, last: u32) -> Cell {
        let [writer, accessor, other] = [0; 3].map(|_| random.below(last + 1));
        let flag = |random: &mut Random, flag: u8| if random.below(3) == 0 { flag } else { 0 };
        let accessor = if random.below(3) == 0 { writer } else { accessor };
        let other_mask = if random.below(2) == 0 { 0 } else { random.mask() };
        Cell {
            writer,
            accessor,
            other,
            writer_mask: random.mask(),
            accessor_mask: random.mask(),
            other_mask,
            flags: flag(random, WRITER_INEXACT)
                | flag(random, ACCESSOR_INEXACT)
                | flag(random, FREED)
                | flag(random, THINNED)
                | if other_mask == 0 { 0 } else { flag(random, OTHER_WRITES) }
                | [RECORD, MANY, 0][random.below(30).min(2) as usize],
        }
    }

    type Quickly = fn(&Engine, &mut Cell, u8, u32) -> bool;

    /// Holds a function against the one it stands for, on random cells. Returns how often it made
    /// the access, how often it gave up, and how often there was a list of readers when it did not.
    fn compare(
        checked: &mut Checked,
        function: unsafe extern "C" fn(),
        quickly: Quickly,
    ) -> [u32; 3] {
        let bytes = match function as usize {
            f if f == rosser_first_read1 as *const () as usize => 1,
            f if f == rosser_first_write1 as *const () as usize => 1,
            f if f == rosser_first_read4 as *const () as usize => 0xf,
            f if f == rosser_first_write4 as *const () as usize => 0xf,
            _ => 0xff,
        };
        let word = Box::new(0_u64);
        let start = &raw const *word as usize;
        let mut random = Random(7);
        let mut counts = [0; 3];
        for _ in 0..300_000 {
            let base = 20 + random.below(10);
            let id = base + random.below(4);
            checked.engine.present = random_present(&mut random, base);
            let mut before = random_cell(&mut random, id);
            if before.flags & MANY != 0 && random.below(2) == 0 {
                let Joined { accessor, older, .. } = checked.engine.present.joined;
                (before.accessor, before.other) = (accessor, older);
                before.other_mask = before.accessor_mask;
            }
            let offset = if bytes == 0xff { 0 } else { 4 * random.below(2) };
            let (address, bytes) = (start + offset as usize, bytes << offset);
            if before.has_accessed(base, bytes) {
                continue; // The fast path has made it.
            }
            let here = Here { frame: &raw const FRAME as usize, ..checked.here };
            checked.places.set(here, id, None);
            // SAFETY: the cells are mapped and no other thread uses this one.
            unsafe { *cell_of(start) = before };
            let done = call(function, address);
            let mut expected = before;
            let expected_done = quickly(&checked.engine, &mut expected, bytes, id);
            // SAFETY: as above.
            let after = unsafe { *cell_of(start) };
            let case = (before, checked.engine.present, bytes, id);
            if done {
                assert!(expected_done, "made an access that is not plain: {case:?}");
                assert_eq!(after, expected, "{case:?}");
                counts[2] += u32::from(before.flags & MANY != 0);
            } else {
                assert_eq!(after, before, "gave up half-way: {case:?}");
            }
            counts[usize::from(!done && expected_done)] += u32::from(expected_done);
        }
        counts
    }

    #[test]
    fn the_assembly_does_what_the_engine_does() {
        checked::init();
        // SAFETY: no thread is checked; this one uses the state alone.
        let checked = unsafe { checked::checked() };
        checked.limit = 0;
        let (reads, writes): (Quickly, Quickly) = (Engine::read_quickly, Engine::write_quickly);
        // Gives up, and leaves behind where the call is.
        assert!(!call(rosser_first_read1, 0x1000));
        for (function, quickly) in [
            (rosser_first_read1 as unsafe extern "C" fn(), reads),
            (rosser_first_read4, reads),
            (rosser_first_read8, reads),
            (rosser_first_write1, writes),
            (rosser_first_write4, writes),
            (rosser_first_write8, writes),
        ] {
            let [made, given_up, many] = compare(checked, function, quickly);
            assert!(made > 10_000 && given_up * 20 < made, "{made} made, {given_up} given up");
            assert!(many > 300 || quickly as usize != reads as usize, "{many} with many readers");
        }
    }
}
