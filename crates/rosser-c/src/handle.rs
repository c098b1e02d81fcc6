//! What C holds: pointers, of which some are wrong.
//!
//! Whatever a pointer is given out for begins with a [`Life`]: which kind of thing it is, where it was
//! made, and whether and where it was ended. What has been ended is not freed at once but buried: as
//! long as it is among the last [`GRAVES`] of its thread, using it again is told and not only
//! undefined.

use std::any::Any;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use rosser::raw::Place;

/// How many things that have been ended a thread keeps.
const GRAVES: usize = 256;

thread_local! {
    static GRAVEYARD: RefCell<VecDeque<Box<dyn Any>>> = const { RefCell::new(VecDeque::new()) };
}

/// Something that C has a pointer to. Its [`Life`] comes first in memory.
pub(crate) trait Live {
    /// What it is called.
    const KIND: &'static str;
    /// What its life begins with.
    const MAGIC: u64;

    fn life(&self) -> &Life;
}

/// From when a thing was made until it was ended.
#[repr(C)]
pub(crate) struct Life {
    /// Read before anything else: of all else nothing is known before.
    magic: AtomicU64,
    made_at: Place,
    ended_at: OnceLock<Place>,
}

/// What is wrong with a pointer, said after the kind of thing it should point to.
pub(crate) enum Wrong {
    /// It points to something else.
    Kind,
    /// It points to something that has been ended.
    Ended { made_at: Place, ended_at: Place },
}

impl Life {
    pub(crate) fn begin<T: Live>(made_at: Place) -> Self {
        Self { magic: AtomicU64::new(T::MAGIC), made_at, ended_at: OnceLock::new() }
    }

    pub(crate) fn made_at(&self) -> Place {
        self.made_at
    }

    /// Ends it, unless somebody else has.
    pub(crate) fn end(&self, at: Place) -> Result<(), Wrong> {
        match self.ended_at.set(at) {
            Ok(()) => Ok(()),
            Err(_) => self.is_open(),
        }
    }

    pub(crate) fn check(&self, magic: u64) -> Result<(), Wrong> {
        if self.magic.load(Relaxed) == magic { self.is_open() } else { Err(Wrong::Kind) }
    }

    fn is_open(&self) -> Result<(), Wrong> {
        match self.ended_at.get() {
            None => Ok(()),
            Some(&ended_at) => Err(Wrong::Ended { made_at: self.made_at, ended_at }),
        }
    }
}

impl Drop for Life {
    fn drop(&mut self) {
        // Not that anybody may look; but if somebody does, the answer should be no.
        *self.magic.get_mut() = 0;
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind => f.write_str("that is none (or was freed)"),
            Self::Ended { made_at, ended_at } => {
                write!(f, "that was made at {made_at} and ended at {ended_at}")
            }
        }
    }
}

/// Frees something that has been ended, later.
pub(crate) fn bury(ended: Box<dyn Any>) {
    let mut ended = Some(ended);
    // Without effect when the thread is about to end: it is freed at once, then.
    let oldest = GRAVEYARD.try_with(|graveyard| {
        let mut graveyard = graveyard.borrow_mut();
        graveyard.extend(ended.take());
        if graveyard.len() > GRAVES { graveyard.pop_front() } else { None }
    });
    drop(oldest);
}
