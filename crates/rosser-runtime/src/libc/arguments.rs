//! Functions with any number of arguments.
//!
//! Rust cannot define them. So the entry point, in assembly, does what a C compiler would: it saves the
//! registers that arguments may be in, makes a list of them, and calls the function that takes a list.
//!
//! ```text
//!  return address   ◄── slot; arguments that are not in registers are above
//!  caller's frame   ◄── rbp
//!  8 bytes unused, the list: 24 bytes
//!  8 registers of 16 bytes for floating-point numbers
//!  6 registers of 8 bytes   ◄── rsp
//! ```

/// A list of arguments, as the System V ABI for x86-64 has it.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Arguments {
    /// Where in the saved registers the next whole number or pointer is.
    whole: u32,
    /// Where in the saved registers the next floating-point number is.
    float: u32,
    /// The next argument that was in no register.
    rest: *const u8,
    saved: *const u8,
}

/// A list that belongs to the caller.
pub type List = *mut Arguments;

const WHOLE_END: u32 = 48;
const FLOAT_END: u32 = 176;

impl Arguments {
    /// The next argument, which is a whole number or a pointer.
    ///
    /// # Safety
    /// There is one.
    pub unsafe fn next(&mut self) -> usize {
        // SAFETY: by the caller's promise.
        unsafe {
            if self.whole < WHOLE_END {
                self.whole += 8;
                *self.saved.add(self.whole as usize - 8).cast()
            } else {
                self.take(8, 8)
            }
        }
    }

    /// Skips an argument that is a floating-point number.
    ///
    /// # Safety
    /// There is one.
    pub unsafe fn skip_float(&mut self) {
        if self.float < FLOAT_END {
            self.float += 16;
        } else {
            // SAFETY: by the caller's promise.
            unsafe { self.take(8, 8) };
        }
    }

    /// Skips an argument that is a long floating-point number.
    ///
    /// # Safety
    /// There is one.
    pub unsafe fn skip_long_float(&mut self) {
        // SAFETY: by the caller's promise.
        unsafe { self.take(16, 16) };
    }

    /// The first word of an argument that was in no register.
    unsafe fn take(&mut self, len: usize, align: usize) -> usize {
        let at = self.rest.map_addr(|address| address.next_multiple_of(align));
        self.rest = at.wrapping_add(len);
        // SAFETY: by the caller's promise.
        unsafe { *at.cast() }
    }
}

/// Defines functions with any number of arguments after those given, of which so many bytes are in
/// registers. They call one that takes, in the next two registers, a list and where the return address is.
///
/// ```text
///  [rbp + 16]   arguments that are in no register          ◄── rest
///  [rbp + 8]    where the call returns to                  ◄── `$slot`
///  [rbp]        the caller's frame
///  [rsp + 176]  the list: whole, float, rest, saved        ◄── `$list`
///  [rsp + 48]   xmm0 to xmm7, if `al` says that some are used
///  [rsp]        rdi, rsi, rdx, rcx, r8, r9                 ◄── saved; `$given` bytes of them are not the list's
/// ```
macro_rules! variadic {
    ($($name:ident($($arg:ident: $type:ty),*) -> $result:ty,
        $given:literal, $list:literal, $slot:literal => $inner:path;)*) => {$(
        const _: () = {
            #[cfg_attr(rosser_weak, linkage = "weak")]
            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            unsafe extern "C" fn $name($($arg: $type),*) -> $result {
                std::arch::naked_asm!(
                    "push rbp",
                    "mov rbp, rsp",
                    "sub rsp, 208",
                    "mov [rsp], rdi",
                    "mov [rsp + 8], rsi",
                    "mov [rsp + 16], rdx",
                    "mov [rsp + 24], rcx",
                    "mov [rsp + 32], r8",
                    "mov [rsp + 40], r9",
                    "test al, al",
                    "je 2f",
                    "movaps [rsp + 48], xmm0",
                    "movaps [rsp + 64], xmm1",
                    "movaps [rsp + 80], xmm2",
                    "movaps [rsp + 96], xmm3",
                    "movaps [rsp + 112], xmm4",
                    "movaps [rsp + 128], xmm5",
                    "movaps [rsp + 144], xmm6",
                    "movaps [rsp + 160], xmm7",
                    "2:",
                    concat!("mov dword ptr [rsp + 176], ", $given),
                    "mov dword ptr [rsp + 180], 48",
                    "lea rax, [rbp + 16]",
                    "mov [rsp + 184], rax",
                    "mov [rsp + 192], rsp",
                    concat!("lea ", $list, ", [rsp + 176]"),
                    concat!("lea ", $slot, ", [rbp + 8]"),
                    "call {inner}",
                    "leave",
                    "ret",
                    inner = sym $inner,
                )
            }
        };
    )*};
}

/// Defines a function that takes a format and a list of arguments, and its twin that takes any number of them. The
/// first closure is done before the C library's function is called. The second is done after, with what it returns,
/// unless that is negative.
macro_rules! formatted {
    ($name:ident, $listed:ident($($arg:ident: $type:ty),*; $format:ident),
        $given:literal, $list:literal, $slot:literal,
        |$call:ident, $arguments:ident| $before:expr, |$result:ident| $after:expr) => {
        const _: () = {
            type Function = unsafe extern "C" fn($($type,)* *const c_char, List) -> c_int;
            real!($listed);

            unsafe extern "C" fn inner(
                $($arg: $type,)* $format: *const c_char, list: List, slot: usize
            ) -> c_int {
                // SAFETY: the C library's function has this type; the rest is by the caller's promise.
                unsafe {
                    let real = std::mem::transmute::<*mut c_void, Function>(REAL.address());
                    let Some($call) = called(slot) else {
                        return real($($arg,)* $format, list);
                    };
                    let $arguments = *list;
                    $before;
                    let result = real($($arg,)* $format, list);
                    if let Ok($result) = usize::try_from(result) {
                        $after;
                    }
                    result
                }
            }

            crate::entry::with_return_address! {
                /// As in C.
                ///
                /// # Safety
                /// As in C.
                #[cfg_attr(rosser_weak, linkage = "weak")]
                $listed($($arg: $type,)* $format: *const c_char, list: List) -> c_int [$slot] => inner
            }

            variadic! {
                $name($($arg: $type,)* $format: *const c_char) -> c_int, $given, $list, $slot => inner;
            }
        };
    };
}

pub(super) use {formatted, variadic};

#[cfg(test)]
mod tests {
    use super::Arguments;

    #[test]
    fn arguments_come_from_registers_and_then_from_the_stack() {
        let mut saved = [0_u64; 22];
        saved[..6].copy_from_slice(&[10, 11, 12, 13, 14, 15]);
        // Two are on the stack, then a long number of 16 bytes, then one more.
        let rest: [u64; 8] = [0, 20, 21, 0, 0, 0, 30, 31];
        let rest = &rest[usize::from(rest.as_ptr().addr().is_multiple_of(16))..];
        let first = rest[0];
        let mut list = Arguments {
            whole: 32,
            float: 160,
            rest: rest.as_ptr().cast(),
            saved: saved.as_ptr().cast(),
        };
        // SAFETY: there are so many arguments.
        unsafe {
            assert_eq!([list.next(), list.next()], [14, 15]);
            list.skip_float();
            assert_eq!(list.next(), first as usize);
            list.skip_float();
            let at = list.rest.addr();
            list.skip_long_float();
            assert_eq!(list.rest.addr(), at.next_multiple_of(16) + 16);
        }
    }
}
