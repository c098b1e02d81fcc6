//! Who precedes whom in every schedule.
//!
//! ```text
//!                 first set, or a task is put aside
//!   spans ───────────────────────────────────────────► general
//!     ▲      every span becomes a step of the tree        │
//!     └───────────────────────────────────────────────────┘
//!                     the region ends
//! ```
//!
//! A parallel region begins with [`spans`]: nothing but the stack of SP-bags, for programs that only
//! fork and join. They know the present only. The first event that such a run cannot have turns them
//! into the [`general`] order: a `tree` of steps for async and finish, and `joins` on top for
//! promises, which answer for any two moments. When nothing is parallel any more it is forgotten, and
//! the next region begins with spans again.
//!
//! A *view* is what preceded a moment, for [`crate::serial::weak`]: a node of the spans, which never change
//! once they are kept, or a point of the general order. Spans outlive their conversion until the
//! region ends, so views from before it stay good.

pub(crate) mod convert;
mod frontier;
pub mod general;
mod joins;
mod list;
pub(crate) mod relabelling;
mod runs;
pub mod spans;
mod tree;

pub use frontier::{Bound, Children};
pub use general::{General, GeneralStorage};
pub use joins::{Head, Join, JoinStorage, Point, Remembered};
pub use list::Link;
pub use runs::Run;
pub use spans::{ScopeNumber, Span, Spans};
pub use tree::Step;

use crate::serial::log::Id;
use crate::storage::Exhausted;

/// What preceded a moment.
pub type View = u32;

/// Set in views that are points of the general order.
const POINT: View = 1 << 31;

/// The order, in one of its two forms.
#[derive(Debug)]
pub(crate) struct Order {
    pub(crate) spans: Spans,
    pub(crate) general: General,
    is_general: bool,
}

impl Order {
    pub(crate) fn new(spans: &'static mut [Span], general: GeneralStorage) -> Self {
        Self { spans: Spans::new(spans), general: General::new(general), is_general: false }
    }

    /// Whether the order is the general one.
    #[inline]
    pub(crate) fn is_general(&self) -> bool {
        self.is_general
    }

    /// Forgets everything; what follows is depth-first.
    pub(crate) fn clear(&mut self) {
        self.spans.clear();
        self.is_general = false;
    }

    /// Keeps what precedes the present, for [`Self::was_serial`]; `now` is the next id.
    pub(crate) fn keep(&mut self, now: Id) -> Result<View, Exhausted> {
        if self.is_general { Ok(self.general.point(now)? | POINT) } else { Ok(self.spans.keep()) }
    }

    /// Whether the access, made before the view was kept, preceded it.
    pub(crate) fn was_serial(&mut self, view: View, id: Id) -> bool {
        if view & POINT == 0 {
            self.spans.was_serial(view, id)
        } else {
            self.general.preceded(view & !POINT, id)
        }
    }
}
