//! Values of any kind, as bytes, and the function that combines them.
#![allow(unsafe_code, reason = "bytes are copied from and to C")]

use std::ffi::c_void;
use std::ptr;

use rosser::Operator;

use crate::call::Argument;

/// Combines the second value into the first: `rosser_combine`.
pub type Combine = unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, *mut c_void);

/// A declared operator.
pub(crate) struct Function {
    combine: Combine,
    context: Argument,
}

/// A value. Small ones need no memory of their own; all are aligned for any type.
pub(crate) enum Combined {
    Small(u128),
    Large(Vec<u128>),
}

impl Function {
    /// # Safety
    /// The function must be able to combine the values that it is used for, in any task.
    pub(crate) unsafe fn new(combine: Combine, context: Argument) -> Self {
        Self { combine, context }
    }
}

impl Operator<Combined> for Function {
    fn combine(&self, total: &mut Combined, mut value: Combined) {
        let (total, value) = (total.address(), value.address());
        // SAFETY: as whoever made the operator has promised.
        unsafe { (self.combine)(total.cast(), value.cast(), self.context.pointer()) };
    }
}

impl Combined {
    /// # Safety
    /// There must be `size` bytes at `value`.
    pub(crate) unsafe fn copied(value: *const c_void, size: usize) -> Self {
        let mut copy = if size <= size_of::<u128>() {
            Self::Small(0)
        } else {
            Self::Large(vec![0; size.div_ceil(size_of::<u128>())])
        };
        if size > 0 {
            // SAFETY: as the caller promises; and there is room.
            unsafe { ptr::copy_nonoverlapping(value.cast::<u8>(), copy.address().cast(), size) };
        }
        copy
    }

    /// # Safety
    /// There must be room for `size` bytes, which must be the value's size.
    pub(crate) unsafe fn copy_to(&self, value: *mut c_void, size: usize) {
        let from = match self {
            Self::Small(word) => ptr::from_ref(word),
            Self::Large(words) => words.as_ptr(),
        };
        if size > 0 {
            // SAFETY: as the caller promises.
            unsafe { ptr::copy_nonoverlapping(from.cast::<u8>(), value.cast(), size) };
        }
    }

    fn address(&mut self) -> *mut u128 {
        match self {
            Self::Small(word) => word,
            Self::Large(words) => words.as_mut_ptr(),
        }
    }
}
