//! The threads of the workers.

use std::ffi::c_int;

use crate::system;
use crate::threads::{Start, real_create};

unsafe extern "C" {
    fn pthread_attr_init(attributes: *mut [u64; 8]) -> c_int;
    fn pthread_attr_setstacksize(attributes: *mut [u64; 8], size: usize) -> c_int;
}

/// Starts a thread of the runtime's own with so much stack. It does not count as one of the program's.
pub fn create(start: Start, stack: usize) {
    let mut attributes = [0_u64; 8];
    let mut thread = 0;
    // SAFETY: the attributes have the size of `pthread_attr_t` and are initialised by the first call.
    let result = unsafe {
        pthread_attr_init(&raw mut attributes);
        pthread_attr_setstacksize(&raw mut attributes, stack);
        real_create()(&raw mut thread, attributes.as_ptr().cast(), start, std::ptr::null_mut())
    };
    if result != 0 {
        system::fail("cannot start the threads that were asked for with --workers", 2);
    }
}
