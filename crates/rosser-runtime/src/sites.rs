//! Sites: places in the code, as small numbers for the log.
//!
//! The site of code of the program itself is its offset in the executable. An access in a function
//! of a library (a vector that grows, a map that is filled) says little without the line that
//! called it, so its site is the number of a *path*: the place, its innermost caller in the program
//! itself, and the innermost library function on the way that may have a closure of the program
//! inlined in it. Paths are kept once.

use rosser_shadow::log::{SITE_MAX, Site};

use crate::backtrace::{Caller, Here, callers};
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
/// How many functions of a task are looked at to find one of the program itself.
const FAR: usize = 64;
/// How many tasks can be told apart that run inside each other.
const TASKS: usize = 1 << 24;

/// An access in a library's function.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Path {
    site: Site,
    caller: Site,
    inlined: Site,
}

/// What of a path is outside the task that the access is in.
#[derive(Clone, Copy)]
struct Outside {
    /// The frame of the function that called the task's body.
    frame: usize,
    caller: Site,
    inlined: Site,
    known: bool,
}

/// The last path that was found from a place. It is still the same if the place is reached from the
/// same return addresses: that of its function, and that in the innermost function of the program,
/// which is as far from the task's frame as it was; or else from the same task.
#[derive(Clone, Copy)]
struct Found {
    site: Site,
    number: Site,
    returns_to: usize,
    /// From the function's frame up to where the program's return address is; 0 if it is outside
    /// the task.
    reach: usize,
    witness: usize,
    /// From the function's frame up to the task's.
    height: usize,
    outside: (Site, Site),
}

const FOUND: usize = 256;

/// All sites.
pub struct Sites {
    libraries: Libraries,
    /// The paths, by number.
    paths: &'static mut [Path],
    len: u32,
    /// Numbers of paths plus one, by hash.
    index: &'static mut [u32],
    /// One for each running task, the main task first.
    outside: &'static mut [Outside],
    depth: usize,
    found: [Found; FOUND],
}

impl Sites {
    pub fn new() -> Self {
        Self {
            libraries: Libraries::new(),
            paths: system::reserve_slice(SLOTS),
            len: 0,
            index: system::reserve_slice(SLOTS),
            outside: system::reserve_slice(TASKS),
            depth: 0,
            found: [Found {
                site: 0,
                number: 0,
                returns_to: 0,
                reach: 0,
                witness: 0,
                height: 0,
                outside: (NONE, NONE),
            }; FOUND],
        }
    }

    /// As many tasks run from now on, not counting the main task. If one is new, its body is called
    /// by the function with the given frame.
    #[inline]
    pub fn set_task(&mut self, depth: usize, new: Option<usize>) {
        self.depth = depth.min(TASKS - 1);
        if let Some(frame) = new {
            self.outside[self.depth] = Outside { frame, caller: NONE, inlined: NONE, known: false };
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

    fn with_caller(&mut self, site: Site, here: Here, stack: StackBounds) -> Site {
        if here.frame == 0 {
            return self.look_for_caller(site, here, stack).number;
        }
        let found = &self.found[Self::slot_of(site)];
        let height = self.top_of_task(self.depth, stack).wrapping_sub(here.frame);
        let same = found.site == site
            && found.returns_to == here.return_address()
            && found.height == height
            && if found.reach == 0 {
                self.depth > 0
                    && self.outside[self.depth].known
                    && (self.outside[self.depth].caller, self.outside[self.depth].inlined)
                        == found.outside
            } else {
                // SAFETY: it is as far up as it was then, which is within the task's stack.
                unsafe { *((here.frame + found.reach) as *const usize) == found.witness }
            };
        if same {
            return found.number;
        }
        let found = self.look_for_caller(site, here, stack);
        self.found[Self::slot_of(site)] = found;
        found.number
    }

    #[inline]
    fn slot_of(site: Site) -> usize {
        (site.wrapping_mul(0x9e37_79b1) >> (32 - FOUND.ilog2())) as usize
    }

    #[inline(never)]
    fn look_for_caller(&mut self, site: Site, here: Here, stack: StackBounds) -> Found {
        let top = self.top_of_task(self.depth, stack);
        let bounds = StackBounds { high: top, ..stack };
        let (mut reach, mut witness, mut outside) = (0, 0, (NONE, NONE));
        let (mut caller, mut inlined) =
            self.first_callers(here.callers(bounds).inspect(|function| {
                reach = (function.frame + 8).wrapping_sub(here.frame);
                witness = function.return_address;
            }));
        if caller == NONE {
            reach = 0;
            outside = self.outside_of_task(stack);
            caller = outside.0;
            inlined = if inlined == NONE { outside.1 } else { inlined };
        }
        Found {
            site,
            number: self.number_of(Path { site, caller, inlined }),
            returns_to: here.return_address(),
            reach,
            witness,
            height: top.wrapping_sub(here.frame),
            outside,
        }
    }

    /// Functions of a task have their frames below this address.
    fn top_of_task(&self, depth: usize, stack: StackBounds) -> usize {
        if depth == 0 { stack.high } else { self.outside[depth].frame }
    }

    /// The innermost function of the program among the callers, and the innermost one of a library
    /// before it that may have a closure of the program inlined in it.
    fn first_callers(&self, callers: impl Iterator<Item = Caller>) -> (Site, Site) {
        let mut inlined = NONE;
        for function in callers.take(FAR) {
            // The return address may be the first byte of the next function.
            let at = Self::plain(function.return_address - 1);
            if !self.libraries.contains(at) {
                return (at + 1, inlined);
            }
            if inlined == NONE && self.libraries.mentions_program(at) {
                inlined = at + 1;
            }
        }
        (NONE, inlined)
    }

    /// The same for the callers of the current task. Every task is looked at once.
    fn outside_of_task(&mut self, stack: StackBounds) -> (Site, Site) {
        let unknown = self.outside[1..=self.depth].iter().rev().take_while(|task| !task.known);
        let first_unknown = self.depth + 1 - unknown.count();
        for depth in first_unknown..=self.depth {
            let bounds = StackBounds { high: self.top_of_task(depth - 1, stack), ..stack };
            let frame = self.outside[depth].frame;
            let (mut caller, mut inlined) = self.first_callers(callers(frame, bounds));
            if caller == NONE && depth > 1 {
                let further = self.outside[depth - 1];
                caller = further.caller;
                inlined = if inlined == NONE { further.inlined } else { inlined };
            }
            self.outside[depth] = Outside { frame, caller, inlined, known: true };
        }
        if self.depth == 0 {
            return (NONE, NONE);
        }
        let Outside { caller, inlined, .. } = self.outside[self.depth];
        (caller, inlined)
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
