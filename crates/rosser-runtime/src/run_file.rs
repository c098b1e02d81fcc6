//! The run file, mapped into the program: see `rosser-abi` for its layout.
//!
//! Words are written with relaxed atomics: threads that are not checked add to some of the counts,
//! and the reader comes after the end of the program.

use std::ffi::{CStr, c_char, c_int};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering::Relaxed};

use rosser_abi::run_file::{
    FILE_WORDS, FINDING_WORDS, FINDINGS, FINDINGS_AT, HEADER_WORDS, MAGIC, MODULE_WORDS, MODULES,
    MODULES_AT, VERSION, header, module, state,
};

use crate::chosen;
use crate::left_out;
use crate::made_file;
use crate::shadow;
use crate::system::{self, ObjectInfo};

static FILE: AtomicPtr<AtomicU64> = AtomicPtr::new(std::ptr::null_mut());
/// How many findings there is room for on the disk, and whether there is for no more.
static ROOM: AtomicU64 = AtomicU64::new(0);
static IS_FULL: AtomicBool = AtomicBool::new(false);

/// Whether the program was started by Rosser: there is a run file.
pub fn is_open() -> bool {
    !FILE.load(Relaxed).is_null()
}

fn word(index: usize) -> Option<&'static AtomicU64> {
    let file = FILE.load(Relaxed);
    // SAFETY: the mapping has that many words and is never unmapped.
    (!file.is_null() && index < FILE_WORDS).then(|| unsafe { &*file.add(index) })
}

/// Writes a word.
pub fn set(index: usize, value: u64) {
    if let Some(word) = word(index) {
        word.store(value, Relaxed);
    }
}

/// Reads a word.
pub fn get(index: usize) -> u64 {
    word(index).map_or(0, |word| word.load(Relaxed))
}

/// Adds to a word. Returns what it was.
pub fn add(index: usize, value: u64) -> u64 {
    word(index).map_or(0, |word| word.fetch_add(value, Relaxed))
}

/// Takes one away from a word, unless it is 0.
pub fn count_down(index: usize) {
    if let Some(word) = word(index) {
        let _ = word.fetch_update(Relaxed, Relaxed, |value| value.checked_sub(1));
    }
}

/// Sets bits of a word.
pub fn add_bits(index: usize, bits: u64) {
    if let Some(word) = word(index) {
        word.fetch_or(bits, Relaxed);
    }
}

/// Raises a word to the given value, if it is less.
pub fn raise(index: usize, value: u64) {
    if let Some(word) = word(index) {
        word.fetch_max(value, Relaxed);
    }
}

/// Where a finding's words begin, if it is one of those that are kept. Findings are numbered as they come.
pub fn finding_at(number: u64) -> Option<usize> {
    let at =
        FINDINGS_AT + usize::try_from(number).ok().filter(|&it| it < FINDINGS)? * FINDING_WORDS;
    if number < ROOM.load(Relaxed) {
        return Some(at);
    }
    if IS_FULL.load(Relaxed) || !has_room(at, FINDING_WORDS) {
        IS_FULL.store(true, Relaxed);
        set(header::NO_ROOM, 1);
        return None;
    }
    ROOM.store(number + 1, Relaxed);
    Some(at)
}

/// Whether so many words can be written.
fn has_room(at: usize, words: usize) -> bool {
    word(at).is_some_and(|word| made_file::has_room(std::ptr::from_ref(word) as usize, words * 8))
}

/// Whether the file is this process's own. A process that shares the memory of the one that has called `vfork`
/// has none, nor has one that was made without the C library.
pub fn is_own() -> bool {
    // SAFETY: always succeeds.
    let pid = unsafe { system::getpid() } as u64;
    word(header::PID).is_some_and(|word| word.load(Relaxed) == pid)
}

/// Creates the file in the directory named by `ROSSER_RUN_DIR`, if there is one. The C library is
/// not ready yet at this time: it does not know the environment. In a program with more rights than whoever has
/// started it nothing is heeded: it would write where they cannot.
///
/// # Safety
/// `arguments` are `count` C strings, and `environment` some, ended by a null pointer.
pub unsafe fn create(
    count: c_int,
    arguments: *const *const c_char,
    environment: *const *const c_char,
) {
    const NAME: &[u8] = b"ROSSER_RUN_DIR=";
    const LEAVE_OUT: &[u8] = b"ROSSER_LEAVE_OUT=";
    if system::is_privileged() {
        return;
    }
    let mut coarse = false;
    let mut at = environment;
    // SAFETY: by the caller's promise.
    while let Some(entry) = unsafe { (*at).as_ref() } {
        // SAFETY: by the caller's promise.
        let entry = unsafe { CStr::from_ptr(entry) }.to_bytes();
        if let Some(directory) = entry.strip_prefix(NAME) {
            map(directory, 0);
        }
        if let Some(name) = entry.strip_prefix(b"ROSSER_DETECTOR=") {
            chosen::choose(name);
        }
        if let Some(number) = entry.strip_prefix(b"ROSSER_WORKERS=") {
            crate::checked::set_workers(number);
        }
        if entry == b"ROSSER_FOLLOW=tasks" {
            shadow::look_at_nothing();
        }
        if let Some(name) = entry.strip_prefix(LEAVE_OUT) {
            left_out::request(name);
        }
        coarse |= entry == b"ROSSER_GRAIN=coarse";
        // SAFETY: not at the end yet.
        at = unsafe { at.add(1) };
    }
    set(header::COARSE, coarse.into());
    set(header::STD_SEEN, crate::IS_STD_SEEN.into());
    set(header::BY_COMPILER, cfg!(rosser_by_compiler).into());
    set(header::NAMES_UNSEEN, cfg!(rosser_sealed).into());
    set(header::ONLY_TASKS, shadow::looks_at_nothing().into());
    set(header::DETECTOR, chosen::chosen().number());
    if is_open() {
        // SAFETY: by the caller's promise.
        unsafe { write_arguments(count, arguments) };
        note_modules();
    }
}

/// A forked child gets a file of its own and goes on.
pub fn create_for_child() {
    // SAFETY: the result is a C string or null.
    let directory = unsafe { system::getenv(c"ROSSER_RUN_DIR".as_ptr()) };
    if directory.is_null() || !is_open() {
        return;
    }
    let parent = get(header::PID);
    let old = FILE.load(Relaxed);
    // SAFETY: not null.
    map(unsafe { CStr::from_ptr(directory) }.to_bytes(), parent);
    let new = FILE.load(Relaxed);
    if new != old {
        // What the parent was told, and how it was started.
        let settings = [
            header::COARSE,
            header::DETECTOR,
            header::ONLY_TASKS,
            header::STD_SEEN,
            header::BY_COMPILER,
            header::NAMES_UNSEEN,
            header::LEFT_OUT,
        ];
        for index in settings.into_iter().chain(header::ARGS_LEN..HEADER_WORDS) {
            // SAFETY: both mappings have a header.
            unsafe { (*new.add(index)).store((*old.add(index)).load(Relaxed), Relaxed) };
        }
        note_modules();
    }
}

fn map(directory: &[u8], forked_from: u64) {
    // SAFETY: always succeeds.
    let pid = unsafe { system::getpid() } as u64;
    FILE.store(made_file::map(directory, pid).cast(), Relaxed);
    ROOM.store(0, Relaxed);
    IS_FULL.store(false, Relaxed);
    set(header::MAGIC, MAGIC);
    set(header::VERSION, VERSION);
    set(header::PID, pid);
    set(header::FORKED_FROM, forked_from);
    set(header::STATE, state::RUNNING);
    // SAFETY: a null pointer is allowed.
    set(header::STARTED, unsafe { system::time(std::ptr::null_mut()) } as u64);
}

/// Writes bytes into words, as many as there is room for. Returns how many.
fn write_bytes(at: usize, words: usize, bytes: impl Iterator<Item = u8>) -> usize {
    let mut len = 0;
    let mut current = 0_u64;
    for byte in bytes.take(words * 8) {
        current |= u64::from(byte) << (len % 8 * 8);
        len += 1;
        if len % 8 == 0 {
            set(at + len / 8 - 1, current);
            current = 0;
        }
    }
    if len % 8 != 0 {
        set(at + len / 8, current);
    }
    len
}

unsafe fn write_arguments(count: c_int, arguments: *const *const c_char) {
    let all = (0..count as usize).flat_map(|index| {
        // SAFETY: by the caller's promise.
        let argument = unsafe { CStr::from_ptr(*arguments.add(index)) };
        argument.to_bytes_with_nul().iter().copied()
    });
    let len = write_bytes(header::ARGS, HEADER_WORDS - header::ARGS, all);
    set(header::ARGS_LEN, len as u64);
}

/// Describes the objects that are loaded and are not described yet.
pub fn note_modules() {
    if is_open() {
        system::each_object(write_module);
    }
}

fn write_module(object: &ObjectInfo) {
    let bounds = object.bounds();
    let is_there = |number: usize| {
        let at = MODULES_AT + number * MODULE_WORDS;
        let has = |index, value| word(at + index).is_some_and(|it| it.load(Relaxed) == value);
        has(module::START, bounds.start as u64) && has(module::END, bounds.end as u64)
    };
    let known = get(header::MODULES) as usize;
    if (0..known.min(MODULES)).any(is_there) {
        return;
    }
    let number = add(header::MODULES, 1) as usize;
    let at = MODULES_AT + number * MODULE_WORDS;
    if number >= MODULES || !has_room(at, MODULE_WORDS) {
        set(header::MODULES, number.min(MODULES) as u64);
        return;
    }
    set(at + module::START, bounds.start as u64);
    set(at + module::END, bounds.end as u64);
    set(at + module::BIAS, object.bias as u64);
    let name = object.name().to_bytes();
    let mut buffer = [0_u8; 4096];
    let name = if name.is_empty() { executable(&mut buffer) } else { name };
    let room = MODULE_WORDS - module::PATH;
    let len = write_bytes(at + module::PATH, room, name.iter().copied());
    set(at + module::PATH_LEN, len as u64);
}

/// The path of the executable: the loader does not tell its name.
fn executable(buffer: &mut [u8; 4096]) -> &[u8] {
    unsafe extern "C" {
        fn readlink(path: *const c_char, buffer: *mut u8, len: usize) -> isize;
    }
    // SAFETY: the buffer has that length.
    let len = unsafe { readlink(c"/proc/self/exe".as_ptr(), buffer.as_mut_ptr(), buffer.len()) };
    &buffer[..usize::try_from(len).unwrap_or(0)]
}
