//! Elements of vectors that are accessed if a mask says so.

use rosser_detect::kind::Kind;

use crate::backtrace::Here;
use crate::checked;
use crate::entry::with_return_address;

with_return_address! {
    /// A read of so many bytes, unless the condition is 0.
    ///
    /// # Safety
    /// None needed.
    rosser_read_if(address: *const u8, len: usize, condition: u64) ["rcx"] => read_if
}

with_return_address! {
    /// A write of so many bytes, unless the condition is 0.
    ///
    /// # Safety
    /// None needed.
    rosser_write_if(address: *const u8, len: usize, condition: u64) ["rcx"] => write_if
}

extern "C" fn read_if(address: *const u8, len: usize, condition: u64, slot: usize) {
    if let (Some(checked), 1..) = (checked::if_on(), condition) {
        checked.read(address as usize, len, Here::of_entry(slot));
    }
}

extern "C" fn write_if(address: *const u8, len: usize, condition: u64, slot: usize) {
    if let (Some(checked), 1..) = (checked::if_on(), condition) {
        checked.write(address as usize, len, Kind::Write, Here::of_entry(slot));
    }
}
