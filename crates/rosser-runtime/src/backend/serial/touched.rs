//! All cells that may have a history.
//!
//! The cells of all memory are reserved, few are touched, and nobody keeps account of which: the
//! access path just writes to them. The system knows. The program's mappings are in
//! `/proc/self/maps`, and which pages of their cells exist is in `/proc/self/pagemap`.

use std::ffi::{c_int, c_void};
use std::sync::atomic::Ordering::Relaxed;

use rosser_detect::serial::cell::Cell;

use crate::shadow::cell_of;
use crate::system::{self, PAGE, RESERVED, RESERVED_LEN};

/// A page that is in memory, or swapped out.
const EXISTS: u64 = 3 << 62;
/// Programs have their memory below this address.
const END: usize = 1 << 47;

/// A file of the process, closed at the end.
struct File(c_int);

impl File {
    fn open(path: &std::ffi::CStr) -> Option<Self> {
        // SAFETY: the path ends with a zero; 0 is for reading only.
        let file = unsafe { system::open(path.as_ptr(), 0) };
        (file >= 0).then_some(Self(file))
    }

    /// Reads from a place; less at the end, or if it fails.
    fn read_at(&self, buffer: &mut [u8], offset: usize) -> usize {
        // SAFETY: the buffer is valid for its length.
        let len = unsafe { pread(self.0, buffer.as_mut_ptr().cast(), buffer.len(), offset as i64) };
        usize::try_from(len).unwrap_or(0)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        // SAFETY: the file was opened and is not used any more.
        unsafe { system::close(self.0) };
    }
}

/// What of the process is mapped, and what of the cells exists.
pub struct Touched {
    maps: File,
    pagemap: File,
}

impl Touched {
    /// `None` if the system does not say.
    pub fn open() -> Option<Self> {
        if !knows_reserved() {
            return None;
        }
        Some(Self {
            maps: File::open(c"/proc/self/maps")?,
            pagemap: File::open(c"/proc/self/pagemap")?,
        })
    }

    /// Goes through the cells, many at once. Only the checked thread may call this.
    pub fn each_cell(&self, each: &mut dyn FnMut(&mut [Cell])) {
        self.each_mapping(|from, to| {
            without_reserved(from, to, |from, to| self.each_cell_of(from, to, each));
        });
    }

    /// Goes through the mappings: lines that begin with two addresses in hexadecimal.
    fn each_mapping(&self, mut each: impl FnMut(usize, usize)) {
        let mut buffer = [0; 4096];
        let (mut offset, mut from, mut number, mut rest_of_line) = (0, 0, 0_usize, false);
        loop {
            let len = self.maps.read_at(&mut buffer, offset);
            if len == 0 {
                return;
            }
            offset += len;
            for &byte in &buffer[..len] {
                match byte {
                    b'\n' => (number, rest_of_line) = (0, false),
                    _ if rest_of_line => {}
                    b'-' => (from, number) = (number, 0),
                    b' ' => {
                        rest_of_line = true;
                        if from < number && number <= END {
                            each(from, number);
                        }
                    }
                    digit => {
                        let digit = (digit as char).to_digit(16).unwrap_or(0);
                        number = number << 4 | digit as usize;
                    }
                }
            }
        }
    }

    fn each_cell_of(&self, from: usize, to: usize, each: &mut dyn FnMut(&mut [Cell])) {
        let mut buffer = [0; 8 * 512];
        let first = cell_of(from) as usize / PAGE;
        let end = first + (to - from) * 2 / PAGE;
        let mut page = first;
        while page < end {
            let wanted = (end - page).min(buffer.len() / 8);
            let got = self.pagemap.read_at(&mut buffer[..wanted * 8], page * 8) / 8;
            if got == 0 {
                return;
            }
            for (index, entry) in buffer.chunks_exact(8).take(got).enumerate() {
                let entry = u64::from_ne_bytes(entry.try_into().unwrap_or_default());
                if entry & EXISTS != 0 {
                    let start = ((page + index) * PAGE) as *mut Cell;
                    // SAFETY: the page is one of the reserved cells; only this thread uses them.
                    let cells =
                        unsafe { std::slice::from_raw_parts_mut(start, PAGE / size_of::<Cell>()) };
                    each(cells);
                }
            }
            page += got;
        }
    }
}

/// Goes through the parts of a range that are not reserved, in order. Must not be relied on if more
/// was reserved than there is room for: see [`knows_reserved`].
// Relaxed: see `RESERVED_LEN`.
fn without_reserved(from: usize, to: usize, mut each: impl FnMut(usize, usize)) {
    let mut at = from;
    while at < to {
        let mut end = to;
        let mut inside = false;
        for (reserved, reserved_end) in &RESERVED {
            let (reserved, reserved_end) = (reserved.load(Relaxed), reserved_end.load(Relaxed));
            if (reserved..reserved_end).contains(&at) {
                (inside, end) = (true, reserved_end);
                break;
            }
            if reserved > at {
                end = end.min(reserved);
            }
        }
        if !inside {
            each(at, end);
        }
        at = end;
    }
}

/// Whether all that has been reserved is known.
fn knows_reserved() -> bool {
    RESERVED_LEN.load(Relaxed) <= RESERVED.len()
}

/// As in POSIX.
///
/// # Safety
/// As in POSIX.
unsafe fn pread(file: c_int, buffer: *mut c_void, len: usize, offset: i64) -> isize {
    const NUMBER: usize = 17;
    let arguments = [file as usize, buffer as usize, len, offset as usize, 0, 0];
    // SAFETY: by the caller's promise.
    unsafe { system::call(NUMBER, arguments) }
}
