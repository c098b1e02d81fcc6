//! Messages with addresses.

use std::ffi::{c_int, c_void};

use super::call::{Call, called, real, replaced};
use super::files::{Part, gave, got, in_parts};
use crate::system::keeping_errno;

/// A message, as the C library has it.
#[repr(C)]
struct Message {
    name: *const c_void,
    name_len: u32,
    parts: *const Part,
    parts_len: usize,
    control: *const c_void,
    control_len: usize,
    flags: c_int,
}

replaced! {
    recvmsg(file: c_int, message: *mut Message, flags: c_int) -> isize, "rcx", |call, real| {
        let result = real(file, message, flags);
        if result >= 0 {
            let Message { name, name_len, parts, parts_len, control, control_len, .. } = *message;
            in_parts(call, parts, parts_len, result, got);
            keeping_errno(|| {
                call.write(message, size_of::<Message>());
                call.write(name, if name.is_null() { 0 } else { name_len as usize });
                call.write(control, control_len);
            });
        }
        result
    }

    sendmsg(file: c_int, message: *const Message, flags: c_int) -> isize, "rcx", |call, real| {
        let result = real(file, message, flags);
        if result >= 0 {
            let Message { name, name_len, parts, parts_len, control, control_len, .. } = *message;
            in_parts(call, parts, parts_len, result, gave);
            keeping_errno(|| {
                call.read(message, size_of::<Message>());
                call.read(name, if name.is_null() { 0 } else { name_len as usize });
                call.read(control, control_len);
            });
        }
        result
    }
}

/// Defines functions that have as many arguments as there are registers: where the return address is
/// has to be passed on the stack.
macro_rules! with_six_arguments {
    ($($name:ident($($arg:ident: $type:ty),*), |$call:ident, $result:ident| $after:block)*) => {$(
        const _: () = {
            type Function = unsafe extern "C" fn($($type),*) -> isize;
            real!($name);

            unsafe extern "C" fn inner($($arg: $type,)* slot: usize) -> isize {
                // SAFETY: the C library's function has this type; the rest is by the caller's promise.
                unsafe {
                    let real = std::mem::transmute::<*mut c_void, Function>(REAL.address());
                    let call: Option<Call> = called(slot);
                    let $result = real($($arg),*);
                    if let Some($call) = call {
                        $after
                    }
                    $result
                }
            }

            #[cfg_attr(rosser_weak, linkage = "weak")]
            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            unsafe extern "C" fn $name($($arg: $type),*) -> isize {
                std::arch::naked_asm!(
                    "mov rax, rsp",
                    "push rbp",
                    "mov rbp, rsp",
                    "sub rsp, 8",
                    "push rax",
                    "call {inner}",
                    "leave",
                    "ret",
                    inner = sym inner,
                )
            }
        };
    )*};
}

with_six_arguments! {
    recvfrom(
        file: c_int, buffer: *mut c_void, len: usize, flags: c_int, address: *mut c_void, room: *mut u32
    ), |call, result| {
        got(call, buffer, result);
        if result >= 0 && !address.is_null() && !room.is_null() {
            keeping_errno(|| {
                call.write(address, *room as usize);
                call.write(room, size_of::<u32>());
            });
        }
    }

    sendto(
        file: c_int, buffer: *const c_void, len: usize, flags: c_int, address: *const c_void, size: u32
    ), |call, result| {
        gave(call, buffer, result);
        if result >= 0 && !address.is_null() {
            keeping_errno(|| call.read(address, size as usize));
        }
    }
}
