//! Functions of the C library that read and write strings.

use std::ffi::{c_char, c_int, c_long};
use std::hint::black_box;

use shared::Shared;

unsafe extern "C" {
    fn strlen(text: *const c_char) -> usize;
    fn strcmp(a: *const c_char, b: *const c_char) -> c_int;
    fn strchr(text: *const c_char, byte: c_int) -> *mut c_char;
    fn strcpy(to: *mut c_char, from: *const c_char) -> *mut c_char;
    fn strncpy(to: *mut c_char, from: *const c_char, len: usize) -> *mut c_char;
    fn strcat(to: *mut c_char, from: *const c_char) -> *mut c_char;
    fn strtol(text: *const c_char, end: *mut *mut c_char, base: c_int) -> c_long;
}

fn main() {
    let mut bytes = *b"word 12345 \0and some room after it";
    let text = Shared::slice(&mut bytes);
    let start = text.get() as usize;
    // SAFETY: of all that is below, the text and its zero are within the array, and there is room for
    // what is copied; the conflicts are what is tested.
    rayon::join(
        || assert_eq!(unsafe { strlen(start as *const c_char) }, 11), //~ race 1
        || unsafe { *text.at(11) = 0 },                               //~ race 1
    );
    rayon::join(
        || unsafe { *text.at(2) = b'r' }, //~ race 2
        || assert_eq!(unsafe { strcmp(start as *const c_char, c"work".as_ptr()) }.signum(), -1), //~ race 2
    );
    rayon::join(
        || assert!(!unsafe { strchr(start as *const c_char, 32) }.is_null()), //~ race 3
        || unsafe { *text.at(4) = b' ' },                                     //~ race 3
    );
    rayon::join(
        || unsafe { strcpy((start + 12) as *mut c_char, c"four".as_ptr()) } as usize, //~ race 4
        || black_box(unsafe { *text.at(16) }),                                        //~ race 4
    );
    rayon::join(
        || unsafe { strncpy((start + 12) as *mut c_char, c"four".as_ptr(), 10) } as usize, //~ race 5
        || black_box(unsafe { *text.at(21) }), //~ race 5
    );
    rayon::join(
        || unsafe { strcat((start + 12) as *mut c_char, c"teen".as_ptr()) } as usize, //~ race 6
        || black_box(unsafe { *text.at(20) }),                                        //~ race 6
    );
    let mut end = std::ptr::null_mut();
    let out = Shared::new(&mut end);
    rayon::join(
        || assert_eq!(unsafe { strtol((start + 5) as *const c_char, out.get(), 10) }, 12345), //~ race 7
        || unsafe { *text.at(8) = b'4' }, //~ race 7
    );
    assert_eq!(end as usize, start + 10);
}
