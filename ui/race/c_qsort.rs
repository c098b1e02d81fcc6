//! Sorting with the C library writes to the whole array, and the comparison is checked as always.

use std::ffi::{c_int, c_void};
use std::hint::black_box;

use shared::Shared;

unsafe extern "C" {
    fn qsort(
        array: *mut c_void,
        count: usize,
        size: usize,
        compare: unsafe extern "C" fn(*const c_void, *const c_void) -> c_int,
    );
}

static mut CALLS: u32 = 0;

unsafe extern "C" fn compare(a: *const c_void, b: *const c_void) -> c_int {
    // SAFETY: the elements are such numbers; the conflict is what is tested.
    unsafe {
        CALLS += 1; //~ race 2
        (*a.cast::<u32>()).cmp(&*b.cast::<u32>()) as c_int
    }
}

fn main() {
    let mut numbers = [5_u32, 3, 4, 1, 2];
    let number = Shared::slice(&mut numbers);
    rayon::join(
        || {
            // SAFETY: so many numbers; the conflict is what is tested.
            unsafe { qsort(number.get().cast(), 5, 4, compare) }; //~ race 1
            // Not the last call, which would take the place of this function's frame.
            black_box(number);
        },
        || {
            // SAFETY: as above.
            black_box(unsafe { *number.at(2) }); //~ race 1
            // SAFETY: as above.
            unsafe { CALLS = 0 } //~ race 2
        },
    );
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
}
