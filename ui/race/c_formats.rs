//! Printing into memory and scanning with the C library: arguments are read, the text is written, and
//! what was scanned is written.

use std::ffi::{c_char, c_int};
use std::hint::black_box;

use shared::Shared;

unsafe extern "C" {
    fn snprintf(to: *mut c_char, room: usize, format: *const c_char, ...) -> c_int;
    fn sscanf(text: *const c_char, format: *const c_char, ...) -> c_int;
}

fn main() {
    let mut text = *b"abcdef\0";
    let mut room = [0_u8; 64];
    let mut numbers = [0_i32; 3];
    let letter = Shared::slice(&mut text);
    let byte = Shared::slice(&mut room);
    let number = Shared::slice(&mut numbers);
    rayon::join(
        || {
            let (to, text) = (byte.get().cast::<c_char>(), letter.get());
            let print = |format| {
                // SAFETY: there is room, and the arguments are what the format says; the conflicts
                // are what is tested.
                unsafe { snprintf(to, 64, format, 1, 2.5, text, 52, 3_i64, 5, 0.5, 6) } //~ race 1, race 2
            };
            let len = print(c"%d %.2f %s %c %ld %d %.1f %d".as_ptr());
            assert_eq!(len, 25);
        },
        || {
            // SAFETY: as above.
            unsafe { *letter.at(5) = b'f' } //~ race 1
            // SAFETY: as above. The zero at the end is the last byte that is written.
            black_box(unsafe { *byte.at(25) }); //~ race 2
        },
    );
    assert_eq!(&room[..26], b"1 2.50 abcdef 4 3 5 0.5 6\0");
    rayon::join(
        || {
            let (from, to) = (byte.get().cast::<c_char>(), number.get());
            // SAFETY: as above.
            let filled = unsafe { sscanf(from, c"%d %*f %*s %n".as_ptr(), to, number.at(1)) }; //~ race 3
            assert_eq!(filled, 1);
        },
        || {
            // SAFETY: as above.
            unsafe { *number.get() = 4 } //~ race 3
        },
    );
}
