//! Sites: places in the code, as small numbers for the log.
//!
//! The site of code of the program itself is its offset in the executable. An access in a function
//! of a library (a vector that grows, a map that is filled) says little without the line that
//! called it, so its site is the number of a *path*: the place, its innermost caller in the program
//! itself, and the innermost library function on the way that may have a closure of the program
//! inlined in it. Paths are kept once.

use rosser_shadow::log::{SITE_MAX, Site};

use crate::backtrace::Here;
use crate::checked::StackBounds;
use crate::libraries::Libraries;
use crate::{blocks, system};

/// Sites from here on are paths.
const PATHS: Site = 1 << 28;
/// No caller.
const NONE: Site = 0;
const SLOTS: usize = 1 << 22;
/// The table is not filled further than this.
const FULL: u32 = SLOTS as u32 / 2;
/// How many functions are looked at to find one of the program itself.
const FAR: usize = 64;

/// An access in a library's function.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Path {
    site: Site,
    caller: Site,
    inlined: Site,
}

/// All sites.
pub struct Sites {
    libraries: Libraries,
    /// The paths, by number.
    paths: &'static mut [Path],
    len: u32,
    /// Numbers of paths plus one, by hash.
    index: &'static mut [u32],
}

impl Sites {
    pub fn new() -> Self {
        Self {
            libraries: Libraries::new(),
            paths: system::reserve_slice(SLOTS),
            len: 0,
            index: system::reserve_slice(SLOTS),
        }
    }

    /// Finds out which code is whose, the first time.
    pub fn prepare(&mut self) {
        self.libraries.prepare();
    }

    /// Whether the memory may be recycled without Rosser seeing it: the program has an allocator of
    /// its own, and the address is neither in a block of the heap nor in the executable.
    pub fn may_be_recycled(&self, address: usize) -> bool {
        unsafe extern "C" {
            /// The first byte after the executable's data, by courtesy of the linker.
            static _end: u8;
        }
        self.libraries.has_own_allocator()
            && !(image()..&raw const _end as usize).contains(&address)
            && blocks::around(address).is_none()
    }

    /// Whether the program is a test harness.
    pub fn is_harness(&self) -> bool {
        self.libraries.has_harness()
    }

    /// The site of an address of code, without its caller.
    #[inline]
    pub fn plain(pc: usize) -> Site {
        u32::try_from(pc.wrapping_sub(image())).map_or(SITE_MAX, |site| site.min(SITE_MAX))
    }

    /// The site of what the program does here.
    #[inline]
    pub fn site_of(&mut self, here: Here, stack: StackBounds) -> Site {
        let site = Self::plain(here.pc);
        if self.libraries.contains(site) { self.with_caller(site, here, stack) } else { site }
    }

    #[inline(never)]
    fn with_caller(&mut self, site: Site, here: Here, stack: StackBounds) -> Site {
        let (mut caller, mut inlined) = (NONE, NONE);
        for function in here.callers(stack).take(FAR) {
            // The return address may be the first byte of the next function.
            let at = Self::plain(function.return_address - 1);
            if !self.libraries.contains(at) {
                caller = at + 1;
                break;
            }
            if inlined == NONE && self.libraries.mentions_program(at) {
                inlined = at + 1;
            }
        }
        self.number_of(Path { site, caller, inlined })
    }

    fn number_of(&mut self, path: Path) -> Site {
        let mut key = u64::from(path.site) << 32 | u64::from(path.caller);
        key = (key ^ u64::from(path.inlined) << 16).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut slot = (key >> 40) as usize % SLOTS;
        loop {
            let number = self.index[slot];
            if number == 0 {
                if self.len >= FULL {
                    return path.site;
                }
                self.paths[self.len as usize] = path;
                self.len += 1;
                self.index[slot] = self.len;
                return PATHS + self.len - 1;
            }
            if self.paths[number as usize - 1] == path {
                return PATHS + number - 1;
            }
            slot = (slot + 1) % SLOTS;
        }
    }

    /// The address of the code at a site; 0 if it is not in the executable.
    pub fn pc_of(&self, site: Site) -> usize {
        address_of(self.path(site).map_or(site, |path| path.site))
    }

    /// The addresses at which the program's own caller of the code at a site goes on, and a
    /// library's function in which a closure of the program may be; 0 if there is none.
    pub fn callers_of(&self, site: Site) -> (usize, usize) {
        self.path(site).map_or((0, 0), |path| (address_of(path.caller), address_of(path.inlined)))
    }

    fn path(&self, site: Site) -> Option<Path> {
        let number = site.checked_sub(PATHS).filter(|number| *number < self.len)?;
        Some(self.paths[number as usize])
    }
}

fn address_of(site: Site) -> usize {
    if site == SITE_MAX || site == NONE { 0 } else { image() + site as usize }
}

#[inline]
fn image() -> usize {
    unsafe extern "C" {
        /// The first byte of the executable's image, by courtesy of the linker.
        static __ehdr_start: u8;
    }
    &raw const __ehdr_start as usize
}
