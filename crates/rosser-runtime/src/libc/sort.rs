//! Sorting. The comparison is the program's and is checked as always; what it is called with has been
//! written by the same step.

use std::ffi::{c_int, c_void};

use super::call::replaced;

type Compare = unsafe extern "C" fn(*const c_void, *const c_void) -> c_int;
type CompareWith = unsafe extern "C" fn(*const c_void, *const c_void, *mut c_void) -> c_int;

/// How many bytes are moved about: a single element is not.
fn moved(count: usize, size: usize) -> usize {
    if count < 2 { 0 } else { count * size }
}

replaced! {
    qsort(array: *mut c_void, count: usize, size: usize, compare: Compare), "r8", |call, real| {
        call.write(array, moved(count, size));
        real(array, count, size, compare);
    }

    qsort_r(array: *mut c_void, count: usize, size: usize, compare: CompareWith, with: *mut c_void), "r9", |call, real| {
        call.write(array, moved(count, size));
        real(array, count, size, compare, with);
    }
}
