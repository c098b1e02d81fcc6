//! Sites: places in the code, as small numbers for the log.
//!
//! The site of code of the program itself is its offset in the executable. An access in a function
//! of a library (a vector that grows, a map that is filled) says little without the line that
//! called it, so its site is the number of a pair: the place and its innermost caller in the
//! program itself. Pairs are kept once.

use rosser_shadow::log::{SITE_MAX, Site};

use crate::backtrace::Here;
use crate::checked::StackBounds;
use crate::libraries::Libraries;
use crate::{blocks, system};

/// Sites from here on are pairs.
const PAIRS: Site = 1 << 28;
const SLOTS: usize = 1 << 22;
/// The table is not filled further than this.
const FULL: u32 = SLOTS as u32 / 2;
/// How many functions are looked at to find one of the program itself.
const FAR: usize = 64;

/// All sites.
pub struct Sites {
    libraries: Libraries,
    /// The pairs, by number.
    pairs: &'static mut [(Site, Site)],
    len: u32,
    /// Numbers of pairs plus one, by hash.
    index: &'static mut [u32],
}

impl Sites {
    pub fn new() -> Self {
        Self {
            libraries: Libraries::new(),
            pairs: system::reserve_slice(SLOTS),
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
        let caller = here
            .callers(stack)
            .take(FAR)
            .map(|caller| Self::plain(caller.return_address))
            .find(|caller| !self.libraries.contains(*caller));
        caller.map_or(site, |caller| self.number_of((site, caller)))
    }

    fn number_of(&mut self, pair: (Site, Site)) -> Site {
        let key = u64::from(pair.0) << 32 | u64::from(pair.1);
        let mut slot = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % SLOTS;
        loop {
            let number = self.index[slot];
            if number == 0 {
                if self.len >= FULL {
                    return pair.0;
                }
                self.pairs[self.len as usize] = pair;
                self.len += 1;
                self.index[slot] = self.len;
                return PAIRS + self.len - 1;
            }
            if self.pairs[number as usize - 1] == pair {
                return PAIRS + number - 1;
            }
            slot = (slot + 1) % SLOTS;
        }
    }

    /// The address of the code at a site; 0 if it is not in the executable.
    pub fn pc_of(&self, site: Site) -> usize {
        let offset = if self.is_pair(site) { self.pairs[(site - PAIRS) as usize].0 } else { site };
        if offset == SITE_MAX || offset == 0 { 0 } else { image() + offset as usize }
    }

    /// The address at which the program's own caller of the code at a site goes on; 0 if the code
    /// is the program's own.
    pub fn caller_of(&self, site: Site) -> usize {
        if self.is_pair(site) {
            image() + self.pairs[(site - PAIRS) as usize].1 as usize
        } else {
            0
        }
    }

    fn is_pair(&self, site: Site) -> bool {
        site >= PAIRS && site - PAIRS < self.len
    }
}

#[inline]
fn image() -> usize {
    unsafe extern "C" {
        /// The first byte of the executable's image, by courtesy of the linker.
        static __ehdr_start: u8;
    }
    &raw const __ehdr_start as usize
}
