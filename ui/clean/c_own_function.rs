//! A program with a function that has the name of one of the C library's keeps its own.

use std::ffi::c_char;

/// Not what the C library has by this name.
#[unsafe(no_mangle)]
extern "C" fn strcasestr(_: *const c_char, part: *const c_char) -> *const c_char {
    part
}

mod c {
    use std::ffi::c_char;

    unsafe extern "C" {
        pub fn strcasestr(text: *const c_char, part: *const c_char) -> *const c_char;
    }
}

fn main() {
    let find = || {
        let part = c"part".as_ptr();
        // SAFETY: both are strings.
        assert_eq!(unsafe { c::strcasestr(c"text".as_ptr(), part) }, part);
        assert_eq!(strcasestr(c"text".as_ptr(), part), part);
    };
    rayon::join(find, find);
}
