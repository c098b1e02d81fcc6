//! The system calls and C functions the runtime uses, declared by hand: the runtime is built by
//! calling the compiler directly, and has no dependencies.

use std::ffi::{CStr, c_char, c_int, c_long, c_void};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::layout;

pub const PROT_READ_WRITE: c_int = 3;
pub const MAP_SHARED: c_int = 1;
pub const MAP_PRIVATE: c_int = 2;
pub const MAP_ANONYMOUS: c_int = 0x20;
pub const MAP_NORESERVE: c_int = 0x4000;
pub const MAP_FIXED_NOREPLACE: c_int = 0x10_0000;
pub const MADV_DONTNEED: c_int = 4;
pub const MADV_POPULATE_WRITE: c_int = 23;
pub const MADV_NOHUGEPAGE: c_int = 15;
pub const MADV_DONTDUMP: c_int = 16;
pub const O_CREATE_READ_WRITE: c_int = 0o100 | 0o2;
pub const O_CLOEXEC: c_int = 0o2_000_000;
/// The file must not be there, not even as a link.
pub const O_ONLY_NEW: c_int = 0o200 | 0o400_000;

pub const PAGE: usize = 4096;

/// A program header of an object file, as the loader gives it.
#[repr(C)]
pub struct ProgramHeader {
    pub kind: u32,
    pub flags: u32,
    pub offset: u64,
    pub address: u64,
    pub physical: u64,
    pub file_size: u64,
    pub memory_size: u64,
    pub align: u64,
}

/// A segment with code or data.
pub const PT_LOAD: u32 = 1;
/// The segment of thread-local variables.
pub const PT_TLS: u32 = 7;

/// A loaded object file, as the loader gives it.
#[repr(C)]
pub struct ObjectInfo {
    pub bias: usize,
    pub name: *const c_char,
    pub headers: *const ProgramHeader,
    pub headers_len: u16,
    /// How many objects were loaded and unloaded so far.
    pub loaded: u64,
    pub unloaded: u64,
    /// The number of its thread-local variables, and where the calling thread has them; null if it has none yet.
    pub locals_number: usize,
    pub locals: *const u8,
}

impl ObjectInfo {
    /// Its program headers.
    pub fn headers(&self) -> &[ProgramHeader] {
        // SAFETY: the loader gives so many.
        unsafe { std::slice::from_raw_parts(self.headers, self.headers_len.into()) }
    }

    /// Its path; empty for the executable.
    pub fn name(&self) -> &CStr {
        // SAFETY: the loader gives a C string.
        unsafe { CStr::from_ptr(self.name) }
    }

    /// From its first byte to its last.
    pub fn bounds(&self) -> Range<usize> {
        let segments = || self.headers().iter().filter(|header| header.kind == PT_LOAD);
        let start = segments().map(|header| header.address).min().unwrap_or(0);
        let end = segments().map(|header| header.address + header.memory_size).max().unwrap_or(0);
        self.bias.wrapping_add(start as usize)..self.bias.wrapping_add(end as usize)
    }
}

/// Goes through all objects that are loaded, the executable first.
pub fn each_object<F: FnMut(&ObjectInfo)>(mut tell: F) {
    extern "C" fn hear<F: FnMut(&ObjectInfo)>(
        object: *const ObjectInfo,
        _: usize,
        tell: *mut c_void,
    ) -> c_int {
        // SAFETY: the loader gives valid objects, and hands on the closure below.
        unsafe { (*tell.cast::<F>())(&*object) };
        0
    }
    // SAFETY: the callback takes what it is given.
    unsafe { dl_iterate_phdr(hear::<F>, (&raw mut tell).cast()) };
}

unsafe extern "C" {
    pub fn __errno_location() -> *mut c_int;
    pub fn madvise(at: *mut c_void, len: usize, advice: c_int) -> c_int;
    pub fn open(path: *const c_char, flags: c_int, ...) -> c_int;
    pub fn ftruncate(file: c_int, len: i64) -> c_int;
    pub fn close(file: c_int) -> c_int;
    pub fn unlink(path: *const c_char) -> c_int;
    pub fn getpid() -> c_int;
    fn getauxval(kind: u64) -> u64;
    fn getrlimit(resource: c_int, limit: *mut [u64; 2]) -> c_int;
    fn clock_gettime(clock: c_int, time: *mut [i64; 2]) -> c_int;
    pub fn atexit(handler: extern "C" fn()) -> c_int;
    pub fn getenv(name: *const c_char) -> *const c_char;
    pub fn time(out: *mut c_long) -> c_long;
    pub fn pthread_self() -> usize;
    pub fn pthread_getattr_np(thread: usize, attributes: *mut [u64; 8]) -> c_int;
    pub fn pthread_attr_getstack(
        attributes: *const [u64; 8],
        low: *mut usize,
        size: *mut usize,
    ) -> c_int;
    pub fn pthread_attr_destroy(attributes: *mut [u64; 8]) -> c_int;
    pub fn pthread_atfork(
        prepare: Option<extern "C" fn()>,
        parent: Option<extern "C" fn()>,
        child: Option<extern "C" fn()>,
    ) -> c_int;
    pub fn dl_iterate_phdr(
        each: extern "C" fn(*const ObjectInfo, usize, *mut c_void) -> c_int,
        data: *mut c_void,
    ) -> c_int;
    pub fn malloc_usable_size(block: *const c_void) -> usize;
    pub fn __libc_malloc(size: usize) -> *mut c_void;
    pub fn __libc_calloc(count: usize, size: usize) -> *mut c_void;
    pub fn __libc_realloc(block: *mut c_void, size: usize) -> *mut c_void;
    pub fn __libc_memalign(align: usize, size: usize) -> *mut c_void;
    pub fn __libc_free(block: *mut c_void);
}

/// A system call, with the C library's convention for errors. Some functions of the C library are
/// replaced by the runtime's own, so it has to call the system directly.
///
/// # Safety
/// That of the call.
pub unsafe fn call(number: usize, arguments: [usize; 6]) -> isize {
    let result: isize;
    // SAFETY: by the caller's promise.
    unsafe {
        std::arch::asm!(
            "syscall",
            inlateout("rax") number as isize => result,
            in("rdi") arguments[0],
            in("rsi") arguments[1],
            in("rdx") arguments[2],
            in("r10") arguments[3],
            in("r8") arguments[4],
            in("r9") arguments[5],
            lateout("rcx") _,
            lateout("r11") _,
        );
    }
    if (-4095..0).contains(&result) {
        // SAFETY: always valid.
        unsafe { *__errno_location() = -result as c_int };
        return -1;
    }
    result
}

/// As in POSIX.
///
/// # Safety
/// As in POSIX.
pub unsafe fn mmap(
    at: *mut c_void,
    len: usize,
    protection: c_int,
    flags: c_int,
    file: c_int,
    offset: i64,
) -> *mut c_void {
    const NUMBER: usize = 9;
    let arguments =
        [at as usize, len, protection as usize, flags as usize, file as usize, offset as usize];
    // SAFETY: by the caller's promise.
    unsafe { call(NUMBER, arguments) as *mut c_void }
}

/// As in POSIX.
///
/// # Safety
/// As in POSIX.
pub unsafe fn munmap(at: *mut c_void, len: usize) -> c_int {
    const NUMBER: usize = 11;
    // SAFETY: by the caller's promise.
    unsafe { call(NUMBER, [at as usize, len, 0, 0, 0, 0]) as c_int }
}

/// As in POSIX.
///
/// # Safety
/// As in POSIX.
unsafe fn write(file: c_int, buffer: *const c_void, len: usize) -> isize {
    const NUMBER: usize = 1;
    // SAFETY: by the caller's promise.
    unsafe { call(NUMBER, [file as usize, buffer as usize, len, 0, 0, 0]) }
}

/// Ends the process at once. The C library's function of that name is replaced by one that takes note.
///
/// # Safety
/// Ends the process.
pub unsafe fn exit_now(status: c_int) -> ! {
    const EXIT_GROUP: usize = 231;
    loop {
        // SAFETY: by the caller's promise.
        unsafe { call(EXIT_GROUP, [status as usize, 0, 0, 0, 0, 0]) };
    }
}

/// Why the last call failed.
pub fn errno() -> c_int {
    // SAFETY: always valid.
    unsafe { *__errno_location() }
}

/// Whether the program has rights that whoever started it has not: what it inherits is not to be trusted.
pub fn is_privileged() -> bool {
    const AT_SECURE: u64 = 23;
    // SAFETY: always allowed.
    unsafe { getauxval(AT_SECURE) != 0 }
}

/// The largest size that a file may have.
pub fn limit_of_files() -> u64 {
    const RLIMIT_FSIZE: c_int = 1;
    let mut limit = [u64::MAX; 2];
    // SAFETY: there is room for both limits.
    unsafe { getrlimit(RLIMIT_FSIZE, &raw mut limit) };
    limit[0]
}

/// Wall-clock time since 1970.
pub fn nanoseconds() -> u64 {
    const CLOCK_REALTIME: c_int = 0;
    let mut time = [0; 2];
    // SAFETY: there is room for seconds and nanoseconds.
    unsafe { clock_gettime(CLOCK_REALTIME, &raw mut time) };
    (time[0] as u64).wrapping_mul(1_000_000_000).wrapping_add(time[1] as u64) & (u64::MAX >> 1)
}

/// Ends the program with a message. For what leaves no other way.
#[cold]
pub fn fail(message: &str, status: i32) -> ! {
    say(message);
    // SAFETY: ends the process.
    unsafe { exit_now(status) }
}

/// Writes a line to standard error without buffering or allocating.
#[cold]
pub fn say(message: &str) {
    say_parts(&["rosser: ", message, "\n"]);
}

/// Writes the parts of a line.
#[cold]
pub fn say_parts(parts: &[&str]) {
    for part in parts {
        // SAFETY: the buffer is valid for its length. A failed write has no remedy.
        unsafe { write(2, part.as_ptr().cast(), part.len()) };
    }
}

/// Reserves address space, filled with zeros as it is touched; at a fixed address if `at` is not 0.
/// `None` if the system refuses.
pub fn reserve(at: usize, len: usize) -> Option<*mut u8> {
    let at = if at == 0 { layout::place_for(len) } else { at };
    let fixed = if at == 0 { 0 } else { MAP_FIXED_NOREPLACE };
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed;
    // SAFETY: a fresh anonymous mapping that replaces no other.
    let got = unsafe { mmap(at as *mut c_void, len, PROT_READ_WRITE, flags, -1, 0) };
    if got as isize == -1 || (at != 0 && got as usize != at) {
        return None;
    }
    // SAFETY: advice on the mapping just made. Huge pages would spend megabytes on a touched word.
    unsafe {
        madvise(got, len, MADV_NOHUGEPAGE);
        madvise(got, len, MADV_DONTDUMP);
    }
    let number = RESERVED_LEN.fetch_add(1, Relaxed);
    if let Some((start, end)) = RESERVED.get(number) {
        start.store(got as usize, Relaxed);
        end.store(got as usize + len, Relaxed);
    }
    Some(got.cast())
}

/// What has been reserved: where each range begins and ends. Some ranges are missing if there are more than this.
pub static RESERVED: [(AtomicUsize, AtomicUsize); 64] =
    [const { (AtomicUsize::new(0), AtomicUsize::new(0)) }; 64];
/// How many ranges have been reserved. Relaxed, like the ranges: all are reserved before anything is checked, or by the
/// thread that asks.
pub static RESERVED_LEN: AtomicUsize = AtomicUsize::new(0);

/// Does something that the program must not notice system calls of.
pub fn keeping_errno(act: impl FnOnce()) {
    // SAFETY: always valid.
    let errno = unsafe { *__errno_location() };
    act();
    // SAFETY: as above.
    unsafe { *__errno_location() = errno };
}

/// What is said when address space is refused.
pub const NO_ADDRESS_SPACE: &str = "cannot reserve address space for the shadow memory. \
     Raise the limit (`ulimit -v unlimited`) and make sure that vm.overcommit_memory is not 2.";

/// A reserved slice of `len` values for which zero bytes are valid.
pub fn reserve_slice<T>(len: usize) -> &'static mut [T] {
    let Some(start) = reserve(0, len * size_of::<T>()) else { fail(NO_ADDRESS_SPACE, 2) };
    // SAFETY: the mapping is fresh, long enough, page-aligned and never unmapped. The callers' types
    // are plain integers and enums whose first variant is zero.
    unsafe { std::slice::from_raw_parts_mut(start.cast(), len) }
}
