//! The ids that places in the code have in the present step.
//!
//! When a step comes to a word for the first time, the access gets an id that tells its site. To
//! find the site may take a walk up the stack; but code runs in loops, so the id of the last access
//! at each place is kept. An id that is not below the step's base is the step's own, so nothing has
//! to be cleared when a step begins.

use rosser_shadow::log::{Id, Site};

use crate::backtrace::Here;
use crate::sites::DependsOn;

/// A place.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub struct Place {
    /// Where the call of the runtime returns to.
    pub returns_to: usize,
    /// Where the function returns to that made it: tells the calls of a library's function apart.
    pub caller: usize,
    /// The id of the last access.
    pub id: Id,
    /// Its site, if it depends on nothing but the place and perhaps the caller; else 0.
    pub site: Site,
    /// Not 0 if the caller does not matter.
    pub any_caller: u32,
}

impl Place {
    const NONE: Self = Self { returns_to: 0, caller: 0, id: 0, site: 0, any_caller: 0 };

    #[inline]
    fn is(&self, here: Here) -> bool {
        self.returns_to == here.pc + 1
            && (self.any_caller != 0 || self.caller == here.return_address())
    }
}

/// The places, each where its address says.
#[repr(transparent)]
pub struct Places {
    places: [Place; Self::LEN],
}

impl Places {
    pub const LEN: usize = 256;
    /// Calls are at least this many bytes apart.
    pub const APART: usize = 4;

    /// None yet.
    pub const fn new() -> Self {
        Self { places: [Place::NONE; Self::LEN] }
    }

    #[inline]
    fn slot(here: Here) -> usize {
        (here.pc + 1) / Self::APART % Self::LEN
    }

    /// The id that the place has in the step whose ids begin at `base`.
    #[inline]
    pub fn id_of(&self, here: Here, base: Id) -> Option<Id> {
        let place = &self.places[Self::slot(here)];
        (place.is(here) && place.id >= base).then_some(place.id)
    }

    /// The place's site, if it is known and does not depend on the whole stack.
    #[inline]
    pub fn site_of(&self, here: Here) -> Option<(Site, DependsOn)> {
        let place = &self.places[Self::slot(here)];
        let depends_on = if place.any_caller == 0 { DependsOn::Caller } else { DependsOn::Place };
        (place.is(here) && place.site != 0).then_some((place.site, depends_on))
    }

    /// Notes the id of a place, and its site if it does not depend on the whole stack.
    #[inline]
    pub fn set(&mut self, here: Here, id: Id, site: Site, depends_on: DependsOn) {
        self.places[Self::slot(here)] = Place {
            returns_to: here.pc + 1,
            caller: here.return_address(),
            id,
            site: if depends_on == DependsOn::Stack { 0 } else { site },
            any_caller: u32::from(depends_on == DependsOn::Place),
        };
    }

    /// Ids have new numbers.
    pub fn clear(&mut self) {
        *self = Self::new();
    }
}
