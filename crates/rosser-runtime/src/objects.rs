//! Shared objects: plug-ins that the program loads, and libraries that it is linked with.
//!
//! Their code can be checked like the program's. A place in it is a number, too: objects get ranges of
//! numbers above all others, in the order in which the runtime hears from them. Which of their functions are
//! libraries' is told by name, as in the executable, by bits that all threads share.
//!
//! Objects with checks in them are linked such that they stay loaded, so a place keeps its meaning.

use std::ffi::{c_char, c_int, c_void};
use std::sync::atomic::{
    AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

use rosser_detect::serial::log::{SITE_MAX, Site};

use crate::libraries::{self, GRAIN, Owner, Symbol};
use crate::system::ObjectInfo;
use crate::{run_file, system};

/// Places from here on are in shared objects.
pub const PLACES: Site = 3 << 27;
/// How many there are.
const LEN: usize = (SITE_MAX - PLACES) as usize;
/// Places are looked up by bytes of code, and bits by [`GRAIN`]s of it.
const WORDS: usize = LEN / GRAIN / 64 + 1;
/// How many objects are known at most. The code of further ones has no place.
const OBJECTS: usize = 256;

/// An object that the runtime has heard from.
struct Known {
    start: AtomicUsize,
    end: AtomicUsize,
    /// The place of its first byte.
    place: AtomicU32,
}

static ALL: [Known; OBJECTS] = [const {
    Known { start: AtomicUsize::new(0), end: AtomicUsize::new(0), place: AtomicU32::new(0) }
}; OBJECTS];
/// How many of them are complete. It is stored with release when they are, and whoever looks at one has loaded it with
/// acquire; so the fields of [`Known`] are relaxed. Only one thread at a time adds some: `BUSY` is a lock.
static COUNT: AtomicUsize = AtomicUsize::new(0);
/// Whether a thread is about to add one.
static BUSY: AtomicBool = AtomicBool::new(false);

/// The bits of libraries' code, and of that of it which mentions the program; null until there are any.
static LIBRARIES: AtomicPtr<AtomicU64> = AtomicPtr::new(std::ptr::null_mut());
static MENTIONING: AtomicPtr<AtomicU64> = AtomicPtr::new(std::ptr::null_mut());

/// Whether any code of shared objects has been met.
pub fn is_any_known() -> bool {
    // Relaxed: the caller looks nothing up by it.
    COUNT.load(Relaxed) > 0
}

/// Whether the place is in a shared object.
#[inline]
pub fn is_in_one(place: Site) -> bool {
    (PLACES..SITE_MAX).contains(&place)
}

/// The place of an address that is not in the executable; [`SITE_MAX`] if it has none.
#[cold]
#[inline(never)]
pub fn place_of(pc: usize) -> Site {
    known(pc).or_else(|| note(pc)).unwrap_or(SITE_MAX)
}

/// The address of a place in a shared object.
pub fn address_of(place: Site) -> usize {
    let object = complete().iter().rfind(|object| object.place.load(Relaxed) <= place);
    object.map_or(0, |object| {
        object.start.load(Relaxed) + (place - object.place.load(Relaxed)) as usize
    })
}

/// Whether the code at the place is a library's.
pub fn contains(place: Site) -> bool {
    is_set(&LIBRARIES, place)
}

/// Whether the code at the place is a library's function for something of the program's.
pub fn mentions_program(place: Site) -> bool {
    is_set(&MENTIONING, place)
}

fn complete() -> &'static [Known] {
    &ALL[..COUNT.load(Acquire)]
}

fn known(pc: usize) -> Option<Site> {
    complete().iter().find_map(|object| {
        let start = object.start.load(Relaxed);
        (start..object.end.load(Relaxed))
            .contains(&pc)
            .then(|| object.place.load(Relaxed) + (pc - start) as Site)
    })
}

/// Makes the object around an address known.
fn note(pc: usize) -> Option<Site> {
    while BUSY.swap(true, Acquire) {
        std::hint::spin_loop();
    }
    let mut place = known(pc);
    if place.is_none() {
        system::each_object(|object| {
            if object.bounds().contains(&pc) {
                add(object);
                place = known(pc);
            }
        });
        run_file::note_modules();
    }
    BUSY.store(false, Release);
    place
}

/// Adds an object, if there is room for it. The caller has said that it is busy.
fn add(object: &ObjectInfo) {
    let count = COUNT.load(Relaxed);
    let bounds = object.bounds();
    let place = count.checked_sub(1).map_or(PLACES, |last| {
        let Known { start, end, place } = &ALL[last];
        place.load(Relaxed) + (end.load(Relaxed) - start.load(Relaxed)) as Site
    });
    // Bits of neighbours are in different words.
    let place = place.next_multiple_of(64 * GRAIN as Site);
    if count == OBJECTS || place as usize + bounds.len() >= SITE_MAX as usize {
        return;
    }
    read_symbols(object, place);
    ALL[count].start.store(bounds.start, Relaxed);
    ALL[count].end.store(bounds.end, Relaxed);
    ALL[count].place.store(place, Relaxed);
    COUNT.store(count + 1, Release);
}

/// Sets the bits of an object's functions.
fn read_symbols(object: &ObjectInfo, place: Site) {
    let first = (place - PLACES) as usize;
    let note = |Symbol { name, is_function, offset, len }: Symbol| {
        let owner = if is_function { libraries::owner_of(name) } else { Owner::Program };
        if owner != Owner::Program && offset < object.bounds().len() {
            mark(&LIBRARIES, first + offset, len);
            if owner == Owner::LibraryForProgram {
                mark(&MENTIONING, first + offset, len);
            }
        }
    };
    if let Some(file) = libraries::map_file(object.name()) {
        libraries::each_symbol(file, note);
    }
}

fn is_set(bits: &AtomicPtr<AtomicU64>, place: Site) -> bool {
    let bits = bits.load(Acquire);
    let grain = (place - PLACES) as usize / GRAIN;
    // SAFETY: there is a bit for every place.
    !bits.is_null() && unsafe { &*bits.add(grain / 64) }.load(Relaxed) >> (grain % 64) & 1 != 0
}

/// Sets the bits of a function. The caller has said that it is busy.
fn mark(all: &AtomicPtr<AtomicU64>, from: usize, len: usize) {
    let mut bits = all.load(Relaxed);
    if bits.is_null() {
        bits = system::reserve_slice::<AtomicU64>(WORDS).as_mut_ptr();
        all.store(bits, Release);
    }
    for grain in from / GRAIN..(from + len).div_ceil(GRAIN).min(WORDS * 64) {
        // SAFETY: there are so many words.
        unsafe { &*bits.add(grain / 64) }.fetch_or(1 << (grain % 64), Relaxed);
    }
}

/// As in POSIX. What is unloaded has been there: the report says what of it was not seen.
///
/// # Safety
/// As in POSIX.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dlclose(object: *mut c_void) -> c_int {
    unsafe extern "C" {
        fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
    }
    const NEXT: *mut c_void = -1_isize as *mut c_void;
    run_file::note_modules();
    // SAFETY: a C string, and the handle that means the libraries after this executable.
    let real = unsafe { dlsym(NEXT, c"dlclose".as_ptr()) };
    if real.is_null() {
        return -1;
    }
    // SAFETY: the C library's function has this type, and the object is the caller's.
    unsafe {
        std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut c_void) -> c_int>(real)(object)
    }
}
