//! Functions of the C library access no more of strings than they have to: what is right beside that
//! belongs to another task.

use std::ffi::{c_char, c_int, c_long};

use shared::Shared;

unsafe extern "C" {
    fn strlen(text: *const c_char) -> usize;
    fn strcmp(a: *const c_char, b: *const c_char) -> c_int;
    fn strncmp(a: *const c_char, b: *const c_char, most: usize) -> c_int;
    fn strchr(text: *const c_char, byte: c_int) -> *mut c_char;
    fn strstr(text: *const c_char, part: *const c_char) -> *mut c_char;
    fn strcpy(to: *mut c_char, from: *const c_char) -> *mut c_char;
    fn strncat(to: *mut c_char, from: *const c_char, most: usize) -> *mut c_char;
    fn strtol(text: *const c_char, end: *mut *mut c_char, base: c_int) -> c_long;
    fn strdup(text: *const c_char) -> *mut c_char;
    fn free(block: *mut c_char);
}

/// Runs something beside a write to one byte.
fn beside(byte: Shared<u8>, value: u8, task: impl FnOnce() + Send) {
    rayon::join(task, || {
        // SAFETY: the byte is in an array that outlives the tasks.
        unsafe { *byte.get() = value }
    });
}

fn main() {
    let mut bytes = *b"word 12345 \0and some room after it";
    let text = Shared::slice(&mut bytes);
    let byte = |at| Shared::from_raw(text.at(at));
    let start = text.get() as usize;
    let at = |at| (start + at) as *mut c_char;
    // SAFETY: of all calls below, the text and its zero are within the array, and there is room for
    // what is copied.
    unsafe {
        beside(byte(12), b'A', || assert_eq!(strlen(at(0)), 11));
        beside(byte(4), b' ', || assert!(strcmp(at(0), c"work".as_ptr()) < 0));
        beside(byte(3), b'd', || assert_eq!(strncmp(at(0), c"worn".as_ptr(), 3), 0));
        beside(byte(5), b'1', || assert!(!strchr(at(0), 32).is_null()));
        beside(byte(4), b' ', || assert!(!strstr(at(0), c"ord".as_ptr()).is_null()));
        beside(byte(17), b'!', || assert!(!strcpy(at(12), c"four".as_ptr()).is_null()));
        beside(byte(19), b'!', || assert!(!strncat(at(12), c"teen".as_ptr(), 2).is_null()));
        beside(byte(11), 0, || assert_eq!(strtol(at(5), std::ptr::null_mut(), 10), 12345));
        beside(byte(12), b'F', || free(strdup(at(0))));
    }
}
