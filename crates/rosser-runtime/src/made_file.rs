//! Making the run file: a file that was not there before, with room on the disk for what is written into it.
//!
//! The name is the process id and the time. Neither is enough alone: processes of several containers share ids,
//! and one process may execute another program in its place. So the file is made exclusively, and under
//! another name if there is one already. That also follows no link that somebody else has put there.
//!
//! The file is mapped and sparse. Writing to a page that the disk has no room for would end the program by
//! `SIGBUS`, so room is asked for first ([`has_room`]).

use std::ffi::c_int;

use rosser_abi::run_file::{EXTENSION, FILE_WORDS, HEADER_WORDS};

use crate::system::{self, fail};

/// How many names are tried.
const TRIES: u64 = 10_000;
/// What a disk without room is said by.
const NO_SPACE: [c_int; 2] = [28, 122];
const EXISTS: c_int = 17;
const MISSING: c_int = 2;
/// What `madvise` says of pages that cannot be written.
const NO_PAGE: c_int = 14;

const DISK_FULL: &str = "there is no room for the run file: make room on the disk that has the target directory, \
     or name another with --target-dir";

/// The path of the file, ended by a zero.
struct Name {
    bytes: [u8; 4096],
    len: usize,
}

impl Name {
    fn new(parts: &[&[u8]]) -> Self {
        let mut name = Self { bytes: [0; 4096], len: 0 };
        for part in parts {
            if name.len + part.len() >= name.bytes.len() {
                fail(
                    "the path of the run directory is too long: choose a --target-dir with a shorter one",
                    2,
                );
            }
            name.bytes[name.len..name.len + part.len()].copy_from_slice(part);
            name.len += part.len();
        }
        name
    }

    /// Ends the program. A file that says nothing is not left behind.
    fn give_up(&self, why: &str) -> ! {
        // SAFETY: the path is a C string.
        unsafe { system::unlink(self.bytes.as_ptr().cast()) };
        fail(why, 2)
    }
}

/// Makes the file and maps it, or ends the program with a message.
pub fn map(directory: &[u8], pid: u64) -> *mut u64 {
    let (name, file) = create(directory, pid);
    let bytes = FILE_WORDS * 8;
    if system::limit_of_files() < bytes as u64 {
        name.give_up("the limit on the size of files is too low for the run file: raise it (`ulimit -f unlimited`)");
    }
    // SAFETY: the file is ours, and nobody else has it mapped.
    let mapped = unsafe {
        if system::ftruncate(file, bytes as i64) != 0 {
            name.give_up(if is_full() {
                DISK_FULL
            } else {
                "cannot make the run file as long as it has to be"
            });
        }
        let shared = system::MAP_SHARED;
        let mapped =
            system::mmap(std::ptr::null_mut(), bytes, system::PROT_READ_WRITE, shared, file, 0);
        system::close(file);
        mapped
    };
    if mapped as isize == -1 {
        name.give_up("cannot map the run file: is there a limit on memory (`ulimit -v`)?");
    }
    if !has_room(mapped as usize, HEADER_WORDS * 8) {
        name.give_up(DISK_FULL);
    }
    mapped.cast()
}

/// Opens a new file.
fn create(directory: &[u8], pid: u64) -> (Name, c_int) {
    let flags = system::O_CREATE_READ_WRITE | system::O_ONLY_NEW | system::O_CLOEXEC;
    let now = system::nanoseconds();
    for number in now..now.saturating_add(TRIES) {
        let (mut pid_digits, mut digits) = ([0; 20], [0; 20]);
        let (pid, number) = (decimal(pid, &mut pid_digits), decimal(number, &mut digits));
        let name = Name::new(&[directory, b"/", pid, b"-", number, b".", EXTENSION.as_bytes()]);
        // SAFETY: the path is a C string: its last byte is zero.
        let file = unsafe { system::open(name.bytes.as_ptr().cast(), flags, 0o600) };
        match system::errno() {
            _ if file >= 0 => return (name, file),
            EXISTS => {}
            MISSING => fail(
                "the run directory is gone: start `cargo rosser` again, or `show-env` again",
                2,
            ),
            _ if is_full() => fail(DISK_FULL, 2),
            _ => fail("cannot write to the run directory: does it belong to another user?", 2),
        }
    }
    fail("cannot find a name for the run file that is free: remove the directory of the runs", 2)
}

/// Whether the last call failed because the disk was full.
fn is_full() -> bool {
    NO_SPACE.contains(&system::errno())
}

/// Whether bytes of the file can be written: now they can, whoever fills the disk. Systems before Linux 5.14
/// do not answer, and then it is hoped for.
pub fn has_room(address: usize, len: usize) -> bool {
    let from = address & !(system::PAGE - 1);
    let mut has_room = true;
    system::keeping_errno(|| {
        // SAFETY: pages of the mapping are written, with what they contain.
        let result = unsafe {
            system::madvise(from as *mut _, address + len - from, system::MADV_POPULATE_WRITE)
        };
        has_room = result == 0 || system::errno() != NO_PAGE;
    });
    has_room
}

fn decimal(mut number: u64, digits: &mut [u8; 20]) -> &[u8] {
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return &digits[at..];
        }
    }
}
