//! The ids that places in the code have in the present step.
//!
//! When a step comes to a word for the first time, the access gets an id that tells its site. To
//! find the site may take a walk up the stack; but code runs in loops, so the id of the last access
//! at each place is kept. An id that is not below the step's base is the step's own, so nothing has
//! to be cleared when a step begins.

use rosser_detect::serial::cell::Cell;
use rosser_detect::serial::log::{Id, Site};

use crate::backtrace::Here;
use crate::sites::{DependsOn, Now};
use crate::stack::StackBounds;

/// A place.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Place {
    /// Where the call of the runtime returns to.
    pub returns_to: usize,
    /// Where the function returns to that made it: tells the calls of a library's function apart.
    pub caller: usize,
    /// The id of the last access.
    pub id: Id,
    /// Its site, or 0 if nothing here tells whether it is the same.
    pub site: Site,
    /// How far above the function's frame the word is that has to be the same, too; 0 if not even the
    /// caller has to be, [`Place::OUTSIDE`] if it is not a word but [`Now::witness`].
    pub reach: u32,
    /// What it has to be.
    pub witness: u32,
    /// A cell that the place has read with this id, and what it was afterwards: the next cells mostly
    /// are the same. Nothing can be worse about it by then, as what precedes a step goes on doing so.
    pub before: Cell,
    pub after: Cell,
}

impl Place {
    pub const OUTSIDE: u32 = u32::MAX;
    /// No cell is like this: it cannot have all flags.
    const NO_CELL: Cell = Cell { flags: u8::MAX, ..Cell::UNMONITORED };
    const NONE: Self = Self {
        returns_to: 0,
        caller: 0,
        id: 0,
        site: 0,
        reach: 1,
        witness: 0,
        before: Self::NO_CELL,
        after: Self::NO_CELL,
    };

    /// The place has another id.
    pub fn set_id(&mut self, id: Id) {
        self.id = id;
        self.before = Self::NO_CELL;
    }

    #[inline]
    fn is(&self, here: Here) -> bool {
        self.returns_to == here.pc + 1 && (self.reach == 0 || self.caller == return_address(here))
    }

    /// Whether the site is the same; the place is.
    #[inline]
    fn has_same_site(&self, here: Here, now: &Now, stack: StackBounds) -> bool {
        match self.reach {
            _ if self.site == 0 => false,
            0 => true,
            Self::OUTSIDE => now.witness(here.frame) == Some(self.witness),
            reach => {
                let word = here.frame + reach as usize;
                // SAFETY: it is on the stack.
                here.frame != 0
                    && word < stack.high
                    && unsafe { *(word as *const usize) } as u32 == self.witness
            }
        }
    }
}

/// The places, each where its address says.
#[repr(C)]
pub struct Places {
    all: [Place; Self::LEN],
    /// The cell that is being read, as it was before, and where it is going to be remembered.
    pub found: Cell,
    pub found_by: usize,
}

impl Places {
    pub const LEN: usize = 1024;
    /// Calls are at least this many bytes apart.
    pub const APART: usize = 8;
    /// So far to the right are the bits that tell places in large functions apart.
    pub const MIX: u32 = 12;

    /// None yet.
    #[expect(clippy::large_stack_arrays, reason = "it is made once, at the start")]
    pub const fn new() -> Self {
        Self { all: [Place::NONE; Self::LEN], found: Place::NO_CELL, found_by: 0 }
    }

    #[inline]
    fn slot(key: usize) -> usize {
        let key = key as u32;
        (key >> Self::MIX ^ key) as usize / Self::APART % Self::LEN
    }

    /// Where a place is. Functions of libraries that call each other in circles have several callers in
    /// turn: all but the first of them have their places elsewhere.
    #[inline]
    fn find(&self, here: Here) -> usize {
        let returns_to = here.pc + 1;
        let slot = Self::slot(returns_to);
        let Place { returns_to: known, caller, reach, .. } = self.all[slot];
        let other_caller = return_address(here);
        if known != returns_to || reach == 0 || caller == other_caller {
            slot
        } else {
            Self::slot(returns_to.wrapping_add(other_caller))
        }
    }

    /// The id that the place has in the step whose ids begin at `base`.
    #[inline]
    pub fn id_of(&self, here: Here, base: Id) -> Option<Id> {
        let place = &self.all[self.find(here)];
        (place.is(here) && place.id >= base).then_some(place.id)
    }

    /// The place's site, if it is known, and the place to give it a new id.
    #[inline]
    pub fn with_site(&mut self, here: Here, now: &Now, stack: StackBounds) -> Option<&mut Place> {
        let place = &mut self.all[self.find(here)];
        (place.is(here) && place.has_same_site(here, now, stack)).then_some(place)
    }

    /// Notes the id of a place, its site and what that depends on.
    #[inline]
    pub fn set(&mut self, here: Here, id: Id, site: Site, depends_on: DependsOn) {
        let (site, reach, witness) = match depends_on {
            DependsOn::Nothing => (site, 0, 0),
            DependsOn::Word { reach, value } => (site, reach, value),
            DependsOn::Outside { witness } => (site, Place::OUTSIDE, witness),
            DependsOn::Stack => (0, Place::OUTSIDE, 0),
        };
        let (returns_to, caller) = (here.pc + 1, return_address(here));
        let at = self.find(here);
        self.all[at] = Place { returns_to, caller, id, site, reach, witness, ..Place::NONE };
    }

    /// Ids have new numbers.
    pub fn clear(&mut self) {
        self.all.fill(Place::NONE);
    }
}

/// The address that the function which made the call returns to: tells calls of a library
/// function apart. 0 if it is not known.
#[inline]
fn return_address(here: Here) -> usize {
    // SAFETY: frames are on the stack, and the return address is above the saved frame.
    if here.frame == 0 { 0 } else { unsafe { *((here.frame + 8) as *const usize) } }
}
