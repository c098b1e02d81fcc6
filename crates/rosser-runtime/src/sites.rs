//! Sites: places in the code, as small numbers for the log.
//!
//! The site of code of the program itself is its offset in the executable; the code of shared objects
//! has places above all others ([`objects`]). An access in a function
//! of a library (a vector that grows, a map that is filled) says little without the line that
//! called it, so its site is the number of a *path*: the place, its innermost caller in the program
//! itself, and the innermost library function on the way that may have a closure of the program
//! inlined in it. Paths are kept once.

use rosser_detect::serial::log::{SITE_MAX, Site};

use crate::backtrace::{Caller, Here, callers};
use crate::libraries::Libraries;
use crate::stack::StackBounds;
use crate::{blocks, objects, system};

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

/// How far above a function's frame its return address is.
const RETURN_ADDRESS: usize = 8;

/// What has to be the same for an access at a place, in a function with the same return address, to
/// have the same site.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum DependsOn {
    /// Nothing, not even the return address.
    Nothing,
    /// The low half of the word that is so far above the function's frame: a return address.
    Word { reach: u32, value: u32 },
    /// [`Now::witness`] of the function's frame.
    Outside { witness: u32 },
    /// All functions on the stack.
    Stack,
}

/// The task that runs, as far as it tells sites apart.
#[repr(C)]
pub struct Now {
    /// Functions of the task have their frames below this address.
    pub top: usize,
    /// The number of the callers outside it; 0 if nobody has asked, and of the main task.
    pub outside: u32,
}

impl Now {
    /// Heights are told apart up to this one.
    pub const HIGHEST: usize = 1 << 20;
    /// Frames are 16 bytes apart at least: so far to the left heights leave room for the outside.
    pub const SHIFT: u32 = 12;
    /// The largest number of callers outside.
    const OUTSIDES: u32 = 0xffff;

    /// Tells apart how far the function with the given frame is from what is outside the task, and what
    /// that is.
    #[inline]
    pub fn witness(&self, frame: usize) -> Option<u32> {
        let height = self.top.wrapping_sub(frame);
        (self.outside != 0 && height < Self::HIGHEST && height.is_multiple_of(16))
            .then_some((height as u32) << Self::SHIFT | self.outside)
    }
}

/// An access in a library's function.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Path {
    site: Site,
    caller: Site,
    inlined: Site,
}

/// The innermost function of the program on the stack, and the innermost one of a library before it
/// that may have a closure of the program inlined in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Callers {
    caller: Site,
    inlined: Site,
}

impl Callers {
    const NONE: Self = Self { caller: NONE, inlined: NONE };

    /// A place that is the program's, or stands for one.
    pub fn only(caller: Site) -> Self {
        Self { caller, inlined: NONE }
    }

    /// With those further out, as far as they are not known yet.
    fn or(self, outside: Self) -> Self {
        if self.caller != NONE {
            return self;
        }
        let inlined = if self.inlined == NONE { outside.inlined } else { self.inlined };
        Self { caller: outside.caller, inlined }
    }
}

/// A running task.
#[derive(Clone, Copy)]
struct Task {
    /// The frame of the function that called its body.
    frame: usize,
    /// The callers outside it, once somebody has asked.
    outside: Option<Callers>,
    /// The task around it, on the same stack.
    parent: usize,
    /// On the way down from one whose outside is known.
    child: usize,
    /// The number of the callers outside it, or 0.
    number: u32,
}

/// The last callers that were found for a place. They are still the same if the place is reached
/// from the same return addresses: that of its function, and that in the innermost function of the
/// program, which is as far up as it was; or else from the same task, or one like it.
#[derive(Clone, Copy)]
struct Found {
    place: Site,
    returns_to: usize,
    /// From the function's frame up to the task's.
    height: usize,
    /// From the function's frame up to where the program's return address is; 0 if it is outside
    /// the task.
    reach: usize,
    witness: usize,
    /// What was found outside the task, if it was needed.
    outside: Callers,
    callers: Callers,
    /// The path's number, if the place is a site.
    path: Option<Site>,
}

impl Found {
    const NOTHING: Self = Self {
        place: NONE,
        returns_to: 0,
        height: 0,
        reach: 0,
        witness: 0,
        outside: Callers::NONE,
        callers: Callers::NONE,
        path: None,
    };
}

const FOUND: usize = 256;
const OUTSIDES: usize = 256;

/// The callers outside a task, for the next that is begun at the same place. They are the same under
/// the conditions of [`Found`].
#[derive(Clone, Copy)]
struct Begun {
    returns_to: usize,
    height: usize,
    reach: usize,
    witness: usize,
    /// The number of the callers outside its parent.
    parent: u32,
    number: u32,
    callers: Callers,
}

impl Begun {
    const NOTHING: Self = Self {
        returns_to: 0,
        height: 0,
        reach: 0,
        witness: 0,
        parent: 0,
        number: 0,
        callers: Callers::NONE,
    };
}

const BEGUN: usize = 64;

/// All sites.
pub struct Sites {
    pub libraries: Libraries,
    /// The paths, by number.
    paths: &'static mut [Path],
    len: u32,
    /// Numbers of paths plus one, by hash.
    index: &'static mut [u32],
    /// One for each running task, by number, the main task first.
    tasks: &'static mut [Task],
    /// The task that runs.
    current: usize,
    pub now: Now,
    found: [Found; FOUND],
    /// Callers outside tasks, with their numbers, and the next number.
    outsides: [(Callers, u32); OUTSIDES],
    next_outside: u32,
    begun: [Begun; BEGUN],
}

impl Sites {
    pub fn new() -> Self {
        Self {
            libraries: Libraries::new(),
            paths: system::reserve_slice(SLOTS),
            len: 0,
            index: system::reserve_slice(SLOTS),
            tasks: system::reserve_slice(TASKS),
            current: 0,
            now: Now { top: 0, outside: 0 },
            found: [Found::NOTHING; FOUND],
            outsides: [(Callers::NONE, 0); OUTSIDES],
            next_outside: 1,
            begun: [Begun::NOTHING; BEGUN],
        }
    }

    /// The task with the given number runs from now on; 0 is the main task. If it is new, its body is
    /// called by the function with the given frame.
    #[inline]
    pub fn set_task(&mut self, number: usize, new: Option<usize>) {
        let parent = std::mem::replace(&mut self.current, number.min(TASKS - 1));
        if let Some(frame) = new {
            let (outside, number) = self.outside_as_before(frame).unzip();
            let number = number.unwrap_or(0);
            self.tasks[self.current] = Task { frame, outside, parent, child: 0, number };
        }
        let Task { frame: top, number: outside, .. } = self.tasks[self.current];
        self.now = Now { top, outside };
    }

    /// What is outside a new task, and its number, if somebody has asked for its parent's and for that
    /// of one like it. The function with the given frame calls its body.
    #[inline]
    fn outside_as_before(&self, frame: usize) -> Option<(Callers, u32)> {
        if self.now.outside == 0 {
            return None;
        }
        let begun = &self.begun[Self::slot_of_begun(frame, self.now.top)];
        let same = begun.returns_to == return_address(frame)
            && begun.height == self.now.top.wrapping_sub(frame)
            && if begun.reach == 0 {
                begun.parent == self.now.outside
            } else {
                // SAFETY: it is as far up as it was then, and so within the parent's stack.
                unsafe { *((frame + begun.reach) as *const usize) == begun.witness }
            };
        same.then_some((begun.callers, begun.number))
    }

    #[inline]
    fn slot_of_begun(frame: usize, parent_top: usize) -> usize {
        let height = parent_top.wrapping_sub(frame);
        ((return_address(frame) >> 2) ^ (height >> 4)) % BEGUN
    }

    /// Notes the number of what is outside a running task, if its parent's is known.
    fn note_begun(&mut self, task: usize, stack: StackBounds) {
        let Task { frame, parent, number, .. } = self.tasks[task];
        let Task { frame: top, number: parent_number, .. } = self.tasks[parent];
        if parent_number != 0 {
            let returns_to = return_address(frame);
            let slot = self.find_callers(Self::plain(returns_to), frame, parent, stack);
            let Found { height, reach, witness, callers, .. } = self.found[slot];
            self.begun[Self::slot_of_begun(frame, top)] = Begun {
                returns_to,
                height,
                reach,
                witness,
                parent: parent_number,
                number,
                callers,
            };
        }
    }

    /// A new task is going to run below the given address, where what is further up the stack has
    /// nothing to do with it.
    pub fn set_task_elsewhere(&mut self, number: usize, top: usize, outside: Callers) {
        let outside = Some(outside);
        self.tasks[number.min(TASKS - 1)] =
            Task { frame: top, outside, parent: 0, child: 0, number: 0 };
    }

    /// What will be outside a task that is forked by the caller of the function with the given frame.
    #[allow(dead_code, reason = "on one worker the callers of a task are on its own stack")]
    pub fn outside_of_child(&mut self, frame: usize, stack: StackBounds) -> Callers {
        let place = Self::plain(return_address(frame));
        let slot = self.find_callers(place, frame, self.current, stack);
        self.found[slot].callers
    }

    /// Finds out which code is whose, the first time.
    pub fn prepare(&mut self) {
        self.libraries.prepare();
    }

    /// Whether the memory may be recycled without Rosser seeing it: the program has an allocator of
    /// its own, of whose blocks it does not tell, and the address is neither in a block of the heap nor in the
    /// executable. The instrumentation stage has programs tell of every block.
    pub fn may_be_recycled(&self, address: usize) -> bool {
        !cfg!(rosser_sealed)
            && self.libraries.has_own_allocator()
            && !Self::is_in_executable(address)
            && blocks::around(address).is_none()
    }

    /// Whether the address is that of code or a static of the executable.
    pub fn is_in_executable(address: usize) -> bool {
        unsafe extern "C" {
            /// The first byte after the executable's data, by courtesy of the linker.
            static _end: u8;
        }
        (image()..&raw const _end as usize).contains(&address)
    }

    /// Whether the program is a test harness.
    pub fn is_harness(&self) -> bool {
        self.libraries.has_harness()
    }

    /// How far into the executable's image an address is; large if it is not in it.
    #[inline]
    pub fn offset(address: usize) -> usize {
        address.wrapping_sub(image())
    }

    /// The site of an address of code, without its caller.
    #[inline]
    pub fn plain(pc: usize) -> Site {
        let offset = Self::offset(pc);
        if offset < PATHS as usize { offset as Site } else { objects::place_of(pc) }
    }

    /// The site of what the program does here, and what it depends on.
    #[inline]
    pub fn site_of(&mut self, here: Here, stack: StackBounds) -> (Site, DependsOn) {
        let site = Self::plain(here.pc);
        if self.libraries.contains(site) {
            self.with_caller(site, here, stack)
        } else {
            (site, DependsOn::Nothing)
        }
    }

    fn with_caller(&mut self, site: Site, here: Here, stack: StackBounds) -> (Site, DependsOn) {
        if here.frame == 0 {
            let bounds = StackBounds { high: self.top_of_task(self.current, stack), ..stack };
            let callers = self.first_callers(here.callers(bounds));
            let callers = callers.or(self.outside_of_task(self.current, stack));
            return (self.number_of(site, callers), DependsOn::Stack);
        }
        let slot = self.find_callers(site, here.frame, self.current, stack);
        let Found { path, reach, witness, callers, .. } = self.found[slot];
        let number = path.unwrap_or_else(|| self.number_of(site, callers));
        self.found[slot].path = Some(number);
        if reach == 0 {
            let witness = self.now.witness(here.frame);
            (number, witness.map_or(DependsOn::Stack, |witness| DependsOn::Outside { witness }))
        } else {
            // Everything on a stack is near.
            (number, DependsOn::Word { reach: reach as u32, value: witness as u32 })
        }
    }

    /// Gives the callers outside the task that runs a number, if they have none, and those around it theirs
    /// before: then what is begun in those is known at once.
    #[allow(dead_code, reason = "on several workers nobody asks for the number")]
    pub fn know_outside(&mut self, stack: StackBounds) {
        let mut at = self.current;
        while at != 0 && self.tasks[at].number == 0 {
            let parent = self.tasks[at].parent;
            self.tasks[parent].child = at;
            at = parent;
        }
        while at != self.current {
            at = self.tasks[at].child;
            self.number_outside(at, stack);
        }
        self.now.outside = self.tasks[self.current].number;
    }

    /// Gives the callers outside a running task a number. The same callers may have several.
    fn number_outside(&mut self, task: usize, stack: StackBounds) {
        let outside = self.outside_of_task(task, stack);
        let key = outside.caller ^ outside.inlined.rotate_left(16);
        let slot = (key.wrapping_mul(0x9e37_79b1) >> (32 - OUTSIDES.ilog2())) as usize;
        let (callers, number) = &mut self.outsides[slot];
        if (*number == 0 || *callers != outside) && self.next_outside <= Now::OUTSIDES {
            (*callers, *number) = (outside, self.next_outside);
            self.next_outside += 1;
        }
        if *callers == outside {
            let number = *number;
            self.tasks[task].number = number;
            self.note_begun(task, stack);
        }
    }

    /// Finds the callers of a place in the function with the given frame, in a running task. They
    /// are where the result says.
    fn find_callers(
        &mut self,
        place: Site,
        frame: usize,
        task: usize,
        stack: StackBounds,
    ) -> usize {
        let top = self.top_of_task(task, stack);
        let returns_to = return_address(frame);
        let height = top.wrapping_sub(frame);
        let key = place ^ (height as u32).rotate_left(16);
        let slot = (key.wrapping_mul(0x9e37_79b1) >> (32 - FOUND.ilog2())) as usize;
        let found = self.found[slot];
        if found.place == place && found.returns_to == returns_to && found.height == height {
            let same = if found.reach == 0 {
                self.outside_of_task(task, stack) == found.outside
            } else {
                // SAFETY: it is as far up as it was then, and so within the task's stack.
                unsafe { *((frame + found.reach) as *const usize) == found.witness }
            };
            if same {
                return slot;
            }
        }
        let (mut reach, mut witness, mut outside) = (0, 0, Callers::NONE);
        let bounds = StackBounds { high: top, ..stack };
        let mut callers = self.first_callers(callers(frame, bounds).inspect(|function| {
            reach = function.frame + RETURN_ADDRESS - frame;
            witness = function.return_address;
        }));
        if callers.caller == NONE {
            reach = 0;
            outside = self.outside_of_task(task, stack);
            callers = callers.or(outside);
        }
        self.found[slot] =
            Found { place, returns_to, height, reach, witness, outside, callers, path: None };
        slot
    }

    /// Functions of a task have their frames below this address.
    fn top_of_task(&self, task: usize, stack: StackBounds) -> usize {
        if task == 0 { stack.high } else { self.tasks[task].frame }
    }

    fn first_callers(&self, functions: impl Iterator<Item = Caller>) -> Callers {
        let mut inlined = NONE;
        for function in functions.take(FAR) {
            // The return address may be the first byte of the next function.
            let at = Self::plain(function.return_address - 1);
            if !self.libraries.contains(at) {
                return Callers { caller: at + 1, inlined };
            }
            if inlined == NONE && self.libraries.mentions_program(at) {
                inlined = at + 1;
            }
        }
        Callers { caller: NONE, inlined }
    }

    /// The callers outside a running task. Every task is looked at once, after those around it.
    fn outside_of_task(&mut self, task: usize, stack: StackBounds) -> Callers {
        let mut at = task;
        while at != 0 && self.tasks[at].outside.is_none() {
            let parent = self.tasks[at].parent;
            self.tasks[parent].child = at;
            at = parent;
        }
        while at != task {
            at = self.tasks[at].child;
            let Task { frame, parent, .. } = self.tasks[at];
            let place = Self::plain(return_address(frame));
            let slot = self.find_callers(place, frame, parent, stack);
            self.tasks[at].outside = Some(self.found[slot].callers);
        }
        if task == 0 { Callers::NONE } else { self.tasks[task].outside.unwrap_or(Callers::NONE) }
    }

    #[inline(never)]
    fn number_of(&mut self, site: Site, callers: Callers) -> Site {
        let path = Path { site, caller: callers.caller, inlined: callers.inlined };
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

    /// The address of the code at a site; 0 if it is not known.
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

/// Where the function with the given frame returns to.
#[inline]
fn return_address(frame: usize) -> usize {
    // SAFETY: the return address is above the saved frame.
    unsafe { *((frame + RETURN_ADDRESS) as *const usize) }
}

fn address_of(site: Site) -> usize {
    match site {
        NONE | SITE_MAX.. => 0,
        _ if objects::is_in_one(site) => objects::address_of(site),
        _ => image() + site as usize,
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

const _: () = assert!(PATHS as usize + SLOTS <= objects::PLACES as usize);
