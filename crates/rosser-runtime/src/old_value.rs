//! Whether a program uses what an atomic update has returned, seen by the instructions that follow the call.
//!
//! A compiler's own pass says nothing of it: `__tsan_atomic64_fetch_add` is the same function for a counter as for a
//! ticket. But a value that is used has to be taken out of `rax` before the next call, and one that is not is
//! overwritten there. So instructions are read until one of them does either, along both ways of a branch, and on in the
//! caller if the function returns.
//!
//! What is not understood counts as a use: then an accumulation is reported as order-dependent. That is so for code
//! that is not optimised, where the value is stored and nobody loads it.

#![allow(
    clippy::match_same_arms,
    reason = "a table of instructions, in the order of their opcodes"
)]

use crate::backtrace::Here;
use crate::checked;

/// How many instructions are looked at.
const MOST: usize = 64;

/// The number of `rax` in an instruction.
const RAX: u8 = 0;

/// What becomes of the value; ordered, so that the worst of several ways counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fate {
    Overwritten,
    Returned,
    Used,
}

/// Whether the program uses what an update returns, which was called there.
#[cold]
pub fn is_used(here: Here) -> bool {
    let callers = here.callers(checked::stack()).map(|caller| caller.return_address);
    is_used_at(std::iter::once(here.pc + 1).chain(callers))
}

/// The same, for the addresses that the update and the functions around it return to.
fn is_used_at(mut return_addresses: impl Iterator<Item = usize>) -> bool {
    let mut left = MOST;
    loop {
        match return_addresses.next().map(|address| fate_at(address, &mut left)) {
            Some(Fate::Overwritten) => return false,
            Some(Fate::Returned) => {}
            Some(Fate::Used) | None => return true,
        }
    }
}

fn fate_at(mut address: usize, left: &mut usize) -> Fate {
    let mut branched = Fate::Overwritten;
    while *left != 0 && branched != Fate::Used {
        *left -= 1;
        let mut code = Code { at: address, ..Code::default() };
        match code.instruction() {
            Effect::None => address = code.at,
            Effect::Overwrites => return branched,
            Effect::Returns => return branched.max(Fate::Returned),
            Effect::Uses => return Fate::Used,
            Effect::Jumps(to) => address = to,
            Effect::Branches(to) => {
                branched = branched.max(fate_at(to, left));
                address = code.at;
            }
        }
    }
    Fate::Used
}

/// What an instruction does to `rax`, or where it leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effect {
    None,
    Overwrites,
    Uses,
    Returns,
    Jumps(usize),
    Branches(usize),
}

/// What an instruction does to the register that its second byte names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Register {
    /// It is one, and is read.
    Read,
    /// It is one, and is written without being read.
    Written,
    /// It is a part of the opcode, or not a general register.
    Other,
}

/// What an instruction does to its operand in a register or in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operand {
    /// It reads it, or if it is in a register, reads it.
    Read,
    /// It writes it without reading it.
    Written,
    /// It only computes the address.
    Address,
    /// If it is a register, it is not a general one.
    Other,
}

/// The instruction at an address.
#[derive(Default)]
struct Code {
    at: usize,
    /// An operand has 16 bits, or an instruction for vectors is another one.
    is_short: bool,
    /// The bits of the prefix that extends registers; 0 if there is none.
    rex: u8,
}

impl Code {
    fn byte(&mut self) -> u8 {
        self.at += 1;
        // SAFETY: this is code of the program, which it is about to execute or could.
        unsafe { *((self.at - 1) as *const u8) }
    }

    /// Passes an immediate operand.
    fn skip(&mut self, bytes: usize, effect: Effect) -> Effect {
        self.at += bytes;
        effect
    }

    /// Where a jump by one byte leads.
    fn near(&mut self) -> usize {
        let by = self.byte().cast_signed();
        self.at.wrapping_add_signed(by.into())
    }

    /// Where a jump by four bytes leads.
    fn far(&mut self) -> usize {
        let by = i32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()]);
        self.at.wrapping_add_signed(by as isize)
    }

    /// The size of an immediate operand of an instruction for more than a byte.
    fn immediate(&self) -> usize {
        if self.is_short { 2 } else { 4 }
    }

    /// Whether all of a register is written, or all but what becomes zero.
    fn writes_all(&self) -> bool {
        !self.is_short
    }

    fn instruction(&mut self) -> Effect {
        let mut opcode = self.byte();
        // Segments, repetitions and the size of operands.
        while matches!(opcode, 0x66 | 0xf2 | 0xf3 | 0x2e | 0x3e | 0x64 | 0x65) {
            self.is_short |= opcode == 0x66;
            opcode = self.byte();
        }
        if opcode & 0xf0 == 0x40 {
            self.rex = opcode;
            opcode = self.byte();
        }
        let is_rax = opcode & 7 == RAX && self.rex & 1 == 0;
        match opcode {
            0x0f => self.two_bytes(),
            // Arithmetic of two operands; with itself, `xor` and `sub` write zero.
            0x00..=0x3f if opcode & 7 < 4 => {
                let zeroes = matches!(opcode, 0x29 | 0x2b | 0x31 | 0x33);
                if zeroes && self.writes_all() && self.rex & 0b101 == 0 && self.peek() == 0xc0 {
                    return Effect::Overwrites;
                }
                self.operands(Register::Read, Operand::Read, 0)
            }
            // The same with a constant, and its like: on `rax`.
            0x04 | 0x05 | 0x0c | 0x0d | 0x14 | 0x15 | 0x1c | 0x1d | 0x24 | 0x25 | 0x2c | 0x2d
            | 0x34 | 0x35 | 0x3c | 0x3d | 0xa8 | 0xa9 => Effect::Uses,
            0x50..=0x57 if is_rax => Effect::Uses,
            0x58..=0x5f if is_rax => Effect::Overwrites,
            0x50..=0x5f | 0x90 | 0xc9 => Effect::None,
            0x63 => self.operands(Register::Written, Operand::Read, 0),
            0x68 => self.skip(4, Effect::None),
            0x6a => self.skip(1, Effect::None),
            0x69 => self.operands(Register::Written, Operand::Read, self.immediate()),
            0x6b => self.operands(Register::Written, Operand::Read, 1),
            0x70..=0x7f => Effect::Branches(self.near()),
            0x80 | 0x83 | 0xc0 | 0xc1 => self.operands(Register::Other, Operand::Read, 1),
            0x81 => self.operands(Register::Other, Operand::Read, self.immediate()),
            0x84..=0x87 => self.operands(Register::Read, Operand::Read, 0),
            0x88 => self.operands(Register::Read, Operand::Read, 0),
            0x89 => self.operands(Register::Read, Operand::Written, 0),
            0x8a => self.operands(Register::Read, Operand::Read, 0),
            0x8b => self.operands(Register::Written, Operand::Read, 0),
            0x8d => self.operands(Register::Written, Operand::Address, 0),
            0xb8..=0xbf if is_rax && self.writes_all() => Effect::Overwrites,
            0xb8..=0xbf if is_rax => Effect::Uses,
            0xb8..=0xbf if self.rex & 8 != 0 => self.skip(8, Effect::None),
            0xb8..=0xbf => self.skip(self.immediate(), Effect::None),
            0xb1..=0xb7 => self.skip(1, Effect::None),
            0xc6 => self.operands(Register::Other, Operand::Read, 1),
            0xc7 => self.operands(Register::Other, Operand::Written, self.immediate()),
            0xd0..=0xd3 => self.operands(Register::Other, Operand::Read, 0),
            0xc3 => Effect::Returns,
            // A call: the register is the callee's to overwrite, and holds no argument.
            0xe8 => Effect::Overwrites,
            0xe9 => Effect::Jumps(self.far()),
            0xeb => Effect::Jumps(self.near()),
            0xf6 | 0xf7 => self.group_of_multiplications(opcode),
            0xfe => self.operands(Register::Other, Operand::Read, 0),
            0xff => self.group_of_calls(),
            _ => Effect::Uses,
        }
    }

    fn two_bytes(&mut self) -> Effect {
        match self.byte() {
            // Nothing follows an undefined instruction.
            0x0b => Effect::Overwrites,
            // Instructions for vectors: moves, arithmetic, comparisons.
            0x10..=0x17
            | 0x28
            | 0x29
            | 0x2b
            | 0x2e
            | 0x2f
            | 0x51..=0x6d
            | 0x6f
            | 0x74..=0x76
            | 0x7c
            | 0x7d
            | 0x7f
            | 0xd0..=0xd6
            | 0xd8..=0xfe => self.operands(Register::Other, Operand::Other, 0),
            0x70 | 0xc2 | 0xc6 => self.operands(Register::Other, Operand::Other, 1),
            // To vectors from registers, and back.
            0x2a | 0x6e => self.operands(Register::Other, Operand::Read, 0),
            0x7e => self.operands(Register::Other, Operand::Written, 0),
            0x2c | 0x2d => self.operands(Register::Written, Operand::Other, 0),
            // No operation, which may have operands, and marks of where jumps may lead.
            0x18..=0x1f => self.operands(Register::Other, Operand::Address, 0),
            0x40..=0x4f => self.operands(Register::Read, Operand::Read, 0),
            0x80..=0x8f => Effect::Branches(self.far()),
            0x90..=0x9f => self.operands(Register::Other, Operand::Read, 0),
            0xaf => self.operands(Register::Read, Operand::Read, 0),
            0xa3 | 0xab | 0xb3 | 0xbb => self.operands(Register::Read, Operand::Read, 0),
            0xba => self.operands(Register::Other, Operand::Read, 1),
            0xb6 | 0xb7 | 0xbe | 0xbf => self.operands(Register::Written, Operand::Read, 0),
            _ => Effect::Uses,
        }
    }

    fn group_of_multiplications(&mut self, opcode: u8) -> Effect {
        let immediate = if opcode == 0xf6 { 1 } else { self.immediate() };
        match self.peek() >> 3 & 7 {
            0 | 1 => self.operands(Register::Other, Operand::Read, immediate),
            2 | 3 => self.operands(Register::Other, Operand::Read, 0),
            // They multiply or divide what is in `rax`.
            _ => Effect::Uses,
        }
    }

    fn group_of_calls(&mut self) -> Effect {
        let group = self.peek() >> 3 & 7;
        match (self.operands(Register::Other, Operand::Read, 0), group) {
            (Effect::None, 2) => Effect::Overwrites,
            // To wherever it is: not followed.
            (Effect::None, 4) => Effect::Uses,
            (effect, _) => effect,
        }
    }

    fn peek(&self) -> u8 {
        // SAFETY: as for `byte`.
        unsafe { *(self.at as *const u8) }
    }

    /// Reads the operands: a register, and another one or a place in memory.
    fn operands(&mut self, register: Register, operand: Operand, immediate: usize) -> Effect {
        let modes = self.byte();
        let (mode, named, base) = (modes >> 6, modes >> 3 & 7, modes & 7);
        let named_rax = named == RAX && self.rex & 4 == 0;
        let mut uses = named_rax && register == Register::Read;
        let mut overwrites = named_rax && register == Register::Written && self.writes_all();
        // A part of it is written.
        uses |= named_rax && register == Register::Written && !overwrites;
        if mode == 3 {
            if base == RAX && self.rex & 1 == 0 {
                match operand {
                    Operand::Read => uses = true,
                    Operand::Written if self.writes_all() => overwrites = true,
                    Operand::Written => uses = true,
                    Operand::Address | Operand::Other => {}
                }
            }
        } else {
            uses |= self.place_uses(
                mode,
                base,
                operand == Operand::Address && register == Register::Other,
            );
        }
        self.at += immediate;
        match (uses, overwrites) {
            (true, _) => Effect::Uses,
            (false, true) => Effect::Overwrites,
            (false, false) => Effect::None,
        }
    }

    /// Whether a place in memory is found by `rax`. That of an instruction that does nothing is not found at all.
    fn place_uses(&mut self, mode: u8, base: u8, is_nowhere: bool) -> bool {
        let mut uses = false;
        let mut displacement = [0, 1, 4][usize::from(mode)];
        if base == 4 {
            let scaled = self.byte();
            let (index, base) = (scaled >> 3 & 7, scaled & 7);
            uses |= index == RAX && self.rex & 2 == 0;
            if base == 5 && mode == 0 {
                displacement = 4;
            } else {
                uses |= base == RAX && self.rex & 1 == 0;
            }
        } else if base == 5 && mode == 0 {
            displacement = 4;
        } else {
            uses |= base == RAX && self.rex & 1 == 0;
        }
        self.at += displacement;
        uses && !is_nowhere
    }
}

#[cfg(test)]
mod tests {
    use super::is_used_at;

    /// Whether code that begins with these bytes uses `rax`.
    fn used(code: &[u8]) -> bool {
        // What is read too far ends with an instruction that is none.
        let mut code = code.to_vec();
        code.extend([0x06; 16]);
        is_used_at([code.as_ptr() as usize].into_iter())
    }

    #[test]
    fn what_reads_the_register_uses_it() {
        assert!(used(&[0x48, 0x89, 0xc3]), "mov rbx, rax");
        assert!(used(&[0x89, 0x45, 0xfc]), "mov [rbp-4], eax");
        assert!(used(&[0x48, 0x8b, 0x04, 0xc7]), "mov rax, [rdi+rax*8]");
        assert!(used(&[0x8d, 0x78, 0x01]), "lea edi, [rax+1]");
        assert!(used(&[0x48, 0x83, 0xf8, 0x01]), "cmp rax, 1");
        assert!(used(&[0x83, 0xf8, 0x01, 0x74, 0x02]), "cmp eax, 1");
        assert!(used(&[0x85, 0xc0]), "test eax, eax");
        assert!(used(&[0x3d, 1, 2, 3, 4]), "cmp eax, …");
        assert!(used(&[0x0f, 0xb6, 0xc0]), "movzx eax, al");
        assert!(used(&[0x66, 0x48, 0x0f, 0x6e, 0xc0]), "movq xmm0, rax");
        assert!(used(&[0x50]), "push rax");
        assert!(used(&[0xff, 0xd0]), "call rax");
    }

    #[test]
    fn what_overwrites_the_register_does_not() {
        assert!(!used(&[0xe8, 0, 0, 0, 0]), "call");
        assert!(!used(&[0x48, 0x89, 0xdf, 0xe8, 0, 0, 0, 0]), "mov rdi, rbx; call");
        assert!(!used(&[0x31, 0xc0, 0xc3]), "xor eax, eax; ret");
        assert!(!used(&[0xb8, 1, 0, 0, 0, 0xc3]), "mov eax, 1; ret");
        assert!(!used(&[0x48, 0x8b, 0x45, 0xf0]), "mov rax, [rbp-16]");
        assert!(!used(&[0x48, 0x8d, 0x05, 1, 2, 3, 4]), "lea rax, [rip+…]");
        assert!(!used(&[0x4c, 0x89, 0xe0]), "mov rax, r12");
        assert!(!used(&[0xff, 0x15, 1, 2, 3, 4]), "call [rip+…]");
        assert!(!used(&[0x41, 0xff, 0xd4]), "call r12");
        assert!(!used(&[0xf3, 0x0f, 0x1e, 0xfa, 0xe8, 0, 0, 0, 0]), "endbr64; call");
        assert!(!used(&[0x0f, 0x1f, 0x44, 0, 0, 0xe8, 0, 0, 0, 0]), "nop [rax+rax]; call");
    }

    #[test]
    fn both_ways_of_a_branch_count() {
        // cmp rbx, 1; je +5; call; … and there: mov rdi, rax
        let mut code = vec![0x48, 0x83, 0xfb, 0x01, 0x74, 0x05, 0xe8, 0, 0, 0, 0, 0x48, 0x89, 0xc7];
        assert!(used(&code));
        code.truncate(11);
        code.extend([0x31, 0xc0]);
        assert!(!used(&code));
        // A loop that never looks: dec rbx; jne back; ret is what follows, so it returns the value.
        assert!(used(&[0x48, 0xff, 0xcb, 0x75, 0xfb, 0xc3]));
        assert!(used(&[0xeb, 0xfe]), "for ever: it is not known");
    }

    #[test]
    fn the_caller_uses_what_is_returned_or_does_not() {
        let returns = [0x5b, 0x5d, 0xc3];
        let [keeps, calls] = [[0x89, 0xc3, 0, 0, 0], [0xe8, 0, 0, 0, 0]];
        let used = |caller: &[u8]| {
            let addresses = [&returns[..], &returns[..], caller].map(|code| code.as_ptr() as usize);
            is_used_at(addresses.into_iter())
        };
        assert!(used(&keeps), "mov ebx, eax");
        assert!(!used(&calls), "call");
        assert!(is_used_at([returns.as_ptr() as usize].into_iter()), "the caller is not known");
    }

    #[test]
    fn what_is_not_understood_is_a_use() {
        assert!(used(&[0xc5, 0xf8, 0x77]), "vzeroupper");
        assert!(used(&[0x06]));
        assert!(used(&[0x66, 0xb8, 1, 0, 0xc3]), "mov ax, 1; ret");
    }
}
