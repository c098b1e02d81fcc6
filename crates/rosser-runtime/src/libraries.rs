//! Which code of the executable belongs to libraries rather than to the program itself.
//!
//! Generic functions of libraries are compiled into the program, so this is told by name: the
//! executable's table of symbols is gone through once, when the first parallel region begins, and
//! every 16 bytes of code that a library's function covers get a bit. The code of shared objects has such
//! bits, too, but elsewhere: see [`objects`].

use std::ffi::{CStr, c_int};

use rosser_abi::names::{crates, symbols};
use rosser_detect::serial::log::Site;

use crate::{objects, own, system};

/// Bytes of code per bit.
pub const GRAIN: usize = 16;
/// More code than this is not looked at.
const CODE: usize = 1 << 28;

/// A bit for every piece of code.
pub struct Libraries {
    bits: &'static mut [u64],
    /// Of those, whether the function's name mentions another crate.
    mentioning: &'static mut [u64],
    prepared: bool,
    allocators: Allocators,
    harness: bool,
}

/// Which of the allocators' functions there are.
#[derive(Default)]
struct Allocators {
    own: bool,
    any: bool,
    default: bool,
}

impl Libraries {
    pub fn new() -> Self {
        Self {
            bits: system::reserve_slice(CODE / GRAIN / 64),
            mentioning: system::reserve_slice(CODE / GRAIN / 64),
            prepared: false,
            allocators: Allocators::default(),
            harness: false,
        }
    }

    /// Whether the code at the place is a library's.
    #[inline]
    pub fn contains(&self, place: Site) -> bool {
        if objects::is_in_one(place) { objects::contains(place) } else { is_set(self.bits, place) }
    }

    /// Whether the code at the place is a library's function for something of the program's: a
    /// closure of it may be inlined there.
    pub fn mentions_program(&self, place: Site) -> bool {
        if objects::is_in_one(place) {
            objects::mentions_program(place)
        } else {
            is_set(self.mentioning, place)
        }
    }

    /// Whether the program is a test harness.
    pub fn has_harness(&self) -> bool {
        self.harness
    }

    /// Whether the program has a `#[global_allocator]`.
    pub fn has_own_allocator(&self) -> bool {
        let Allocators { own, any, default } = self.allocators;
        own || any && !default
    }

    /// Reads the symbols of the executable, the first time.
    pub fn prepare(&mut self) {
        if self.prepared {
            return;
        }
        self.prepared = true;
        if let Some(file) = map_file(c"/proc/self/exe") {
            each_symbol(file, |symbol| self.note(symbol));
        }
    }

    fn note(&mut self, symbol: Symbol) {
        let Symbol { name, is_function, offset, len } = symbol;
        self.harness |=
            name.windows(symbols::HARNESS.len()).any(|part| part == symbols::HARNESS.as_bytes());
        if !is_function {
            return;
        }
        self.allocators.own |= name.ends_with(symbols::OWN_ALLOC.as_bytes());
        self.allocators.any |= name.ends_with(symbols::ALLOC.as_bytes());
        self.allocators.default |= name.ends_with(symbols::DEFAULT_ALLOC.as_bytes());
        if own::is_own_name(name) {
            own::mark(offset, len);
        }
        let owner = owner_of(name);
        if owner != Owner::Program {
            mark(self.bits, offset, len);
        }
        if owner == Owner::LibraryForProgram {
            mark(self.mentioning, offset, len);
        }
    }
}

/// Whose a function is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    Program,
    Library,
    /// A library's, for something of the program's.
    LibraryForProgram,
}

/// Whose a function is, by its name.
pub fn owner_of(name: &[u8]) -> Owner {
    let mut crates = crates_of(name);
    let is_of_library = match crates.next() {
        Some(first) => is_library(first),
        None => {
            name.starts_with(symbols::OF_COMPILER.as_bytes()) || symbols::is_callback_symbol(name)
        }
    };
    // What the compiler calls to catch a panic has its closure inlined, too.
    let mut mentions =
        || crates.any(|other| !is_library(other)) || name.starts_with(symbols::CATCHING.as_bytes());
    match is_of_library {
        false => Owner::Program,
        true if mentions() => Owner::LibraryForProgram,
        true => Owner::Library,
    }
}

/// A function or a variable of an object file.
#[derive(Clone, Copy)]
pub struct Symbol<'a> {
    pub name: &'a [u8],
    pub is_function: bool,
    /// How far into the image it is.
    pub offset: usize,
    pub len: usize,
}

/// Goes through the symbols of an object file.
pub fn each_symbol(file: &[u8], mut tell: impl FnMut(Symbol)) -> Option<()> {
    const SYMBOLS: u32 = 2;
    const FUNCTION: u8 = 2;
    let sections = number(file, 40, 8)?;
    let size = number(file, 58, 2)?;
    let count = number(file, 60, 2)?;
    // The image begins at the lowest address that is loaded; 0 unless linked at a fixed one.
    let base = lowest_address(file)?;
    for section in (0..count).map(|index| sections + index * size) {
        if number(file, section + 4, 4)? as u32 != SYMBOLS {
            continue;
        }
        let (start, len) = (number(file, section + 24, 8)?, number(file, section + 32, 8)?);
        let strings = sections + number(file, section + 40, 4)? * size;
        let names = number(file, strings + 24, 8)?;
        for symbol in (start..start + len).step_by(24) {
            let name = file.get(names + number(file, symbol, 4)?..)?;
            let end = name.iter().position(|byte| *byte == 0)?;
            tell(Symbol {
                name: &name[..end],
                is_function: file.get(symbol + 4)? & 0xf == FUNCTION,
                offset: number(file, symbol + 8, 8)?.wrapping_sub(base),
                len: number(file, symbol + 16, 8)?,
            });
        }
    }
    Some(())
}

#[inline]
fn is_set(bits: &[u64], offset: u32) -> bool {
    let grain = offset as usize / GRAIN;
    bits.get(grain / 64).is_some_and(|word| word >> (grain % 64) & 1 != 0)
}

fn mark(bits: &mut [u64], from: usize, len: usize) {
    for grain in from / GRAIN..(from + len).div_ceil(GRAIN) {
        if let Some(word) = bits.get_mut(grain / 64) {
            *word |= 1 << (grain % 64);
        }
    }
}

fn lowest_address(file: &[u8]) -> Option<usize> {
    let (headers, size) = (number(file, 32, 8)?, number(file, 54, 2)?);
    let all = (0..number(file, 56, 2)?).map(|index| headers + index * size);
    all.filter(|at| number(file, *at, 4) == Some(system::PT_LOAD as usize))
        .filter_map(|at| number(file, at + 16, 8))
        .min()
}

fn number(file: &[u8], at: usize, len: usize) -> Option<usize> {
    let mut bytes = [0; 8];
    bytes[..len].copy_from_slice(file.get(at..at + len)?);
    Some(usize::from_le_bytes(bytes))
}

fn is_library(name: &[u8]) -> bool {
    crates::CRATES.iter().any(|known| known.is_one_operation && known.name.as_bytes() == name)
}

/// The crates in a mangled name (in the compiler's "v0" scheme), first the one that defines the
/// function: each is `C`, perhaps `s` and a hash, then the length and the name. Without the one
/// that the function was compiled for, which ends the name.
fn crates_of(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    let name = name.strip_prefix(b"_R").unwrap_or(&[]);
    (0..name.len()).filter(|at| name[*at] == b'C').filter_map(|at| {
        let mut rest = &name[at + 1..];
        if let Some(hashed) = rest.strip_prefix(b"s") {
            let hash = hashed.iter().position(|byte| !byte.is_ascii_alphanumeric())?;
            rest = hashed[hash..].strip_prefix(b"_")?;
        }
        let digits = rest.iter().position(|byte| !byte.is_ascii_digit())?;
        let len: usize = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
        let rest = &rest[digits..];
        let rest = rest.strip_prefix(b"_").unwrap_or(rest);
        rest.get(..len).filter(|_| rest.len() > len)
    })
}

/// A file, mapped for reading.
pub fn map_file(path: &CStr) -> Option<&'static [u8]> {
    const READ: c_int = 1;
    unsafe extern "C" {
        fn lseek(file: c_int, offset: i64, whence: c_int) -> i64;
    }
    // SAFETY: opens, measures and maps a file; the mapping is kept for good.
    unsafe {
        let file = system::open(path.as_ptr(), system::O_CLOEXEC);
        if file < 0 {
            return None;
        }
        let len = usize::try_from(lseek(file, 0, 2)).ok()?;
        let start = system::mmap(std::ptr::null_mut(), len, READ, system::MAP_PRIVATE, file, 0);
        system::close(file);
        (start as isize != -1).then(|| std::slice::from_raw_parts(start.cast(), len))
    }
}
