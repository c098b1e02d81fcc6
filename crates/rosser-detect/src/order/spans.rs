//! Who is parallel with the current step: SP-bags kept as intervals on a stack.
//!
//! In a depth-first run the ids of a task and all its descendants are an interval of the log. So
//! at any moment the log falls into *spans* that are wholly serial (S) or wholly parallel (P) with
//! the current step, exactly the S-bags and P-bags of Feng and Leiserson (and of ESP-bags for
//! async and finish), but adjacent ones merge for good when a task or a scope ends. Task events
//! cost O(1), memory follows the depth of the computation, and a query is a search down the
//! stack that usually ends at its first span.
//!
//! A task may be spawned into a scope further out than the innermost: its span then stays P when
//! the inner scopes end. Every P span therefore knows its scope.
//!
//! The stack is a linked list whose nodes never change, so that a view of it can be kept: a lock
//! release keeps what precedes it (see [`crate::serial::weak`]). Nodes that nobody keeps are reused at once.

use crate::serial::log::Id;
use crate::storage::{Exhausted, Pool, Slot};

/// The number of a join scope: 0 is the scope that never ends, inner ones have larger numbers.
pub type ScopeNumber = u32;

/// A node of the stack; 0 is the bottom, a serial span of everything before the region.
pub type SpanIndex = u32;

/// One span, from `low` to the one above it.
#[derive(Clone, Copy, Default, Debug)]
pub struct Span {
    low: Id,
    /// The scope that will join it, plus one; 0 for a serial span.
    joined_by: u32,
    below: SpanIndex,
    /// A span further down, chosen so that any depth is reached in a logarithmic number of steps.
    jump: SpanIndex,
    depth: u32,
    /// The lowest parallel id at or below this span.
    lowest_parallel: Id,
    /// All accesses from here to the end of the topmost parallel span at or below this one are parallel.
    /// What is between them are only beginnings of tasks.
    all_parallel: Id,
    /// Of a serial span: its ids below this one are beginnings of tasks.
    only_begins: Id,
    kept: bool,
}

impl Slot for Span {
    fn next_free(&self) -> u32 {
        self.below
    }

    fn set_next_free(&mut self, next: u32) {
        self.below = next;
    }
}

/// The stack of spans.
#[derive(Debug)]
pub struct Spans {
    pool: Pool<Span>,
    top: SpanIndex,
}

/// More than any id: nothing is parallel.
const NOTHING: Id = Id::MAX;

impl Spans {
    /// A stack whose only span is serial.
    pub fn new(slots: &'static mut [Span]) -> Self {
        let mut pool = Pool::new(slots);
        pool[0] =
            Span { lowest_parallel: NOTHING, all_parallel: NOTHING, kept: true, ..Span::default() };
        Self { pool, top: 0 }
    }

    /// Forgets all but the bottom.
    pub fn clear(&mut self) {
        self.pool.clear();
        self.top = 0;
    }

    /// Makes room for so many more spans.
    pub(crate) fn reserve(&mut self, room: usize) {
        self.pool.reserve(room);
    }

    /// The topmost span.
    #[inline]
    pub fn top(&self) -> SpanIndex {
        self.top
    }

    /// Every id below this one precedes the current step.
    #[inline]
    pub fn floor(&self) -> Id {
        self.pool[self.top].lowest_parallel
    }

    /// The topmost parallel spans, if there are only beginnings of tasks between them: from their first id
    /// up to the one after their last; `base` is the next id. Empty if there is none.
    #[inline]
    pub fn topmost_parallel(&self, base: Id) -> (Id, Id) {
        let top = &self.pool[self.top];
        if top.joined_by != 0 {
            (top.all_parallel, base)
        } else if top.all_parallel != NOTHING {
            (top.all_parallel, top.low)
        } else {
            (base, base)
        }
    }

    /// The first id of the topmost parallel span, if nothing but the current step is above it. More than any id if not.
    #[inline]
    pub(crate) fn topmost_alike(&self) -> Id {
        let top = &self.pool[self.top];
        if top.joined_by != 0 {
            return top.low;
        }
        let below = &self.pool[top.below];
        if self.top != 0 && below.joined_by != 0 { below.low } else { NOTHING }
    }

    /// Whether the topmost span is serial: the current step needs no other.
    #[inline]
    pub fn has_step(&self) -> bool {
        self.pool[self.top].joined_by == 0
    }

    /// Whether nothing that has been done is parallel with the current step.
    pub fn is_serial(&self) -> bool {
        self.floor() == NOTHING
    }

    fn push(&mut self, low: Id, joined_by: u32) -> Result<(), Exhausted> {
        let below = self.pool[self.top];
        let jump = self.pool[below.jump];
        let far = self.pool[jump.jump];
        let leap = below.depth - jump.depth == jump.depth - far.depth && jump.depth > 0;
        let span = Span {
            low,
            joined_by,
            below: self.top,
            jump: if leap { jump.jump } else { self.top },
            depth: below.depth + 1,
            lowest_parallel: if below.lowest_parallel != NOTHING {
                below.lowest_parallel
            } else if joined_by != 0 {
                low
            } else {
                NOTHING
            },
            all_parallel: match (joined_by, below.joined_by) {
                (0, _) => below.all_parallel,
                (_, 0) if below.all_parallel == NOTHING || below.only_begins < low => low,
                _ => below.all_parallel,
            },
            only_begins: low,
            kept: false,
        };
        self.top = self.pool.take(span)?;
        Ok(())
    }

    fn pop(&mut self) -> Span {
        let span = self.pool[self.top];
        if span.kept {
            self.pool[span.below].kept = true;
        } else {
            self.pool.give_back(self.top);
        }
        self.top = span.below;
        span
    }

    /// The current step gets its first id, `low`.
    #[inline]
    pub fn step(&mut self, low: Id) -> Result<(), Exhausted> {
        if self.has_step() { Ok(()) } else { self.push(low, 0) }
    }

    /// The ids of the current step from `from` to `to` are beginnings of tasks.
    #[inline]
    pub fn begins(&mut self, from: Id, to: Id) {
        let top = &mut self.pool[self.top];
        if top.only_begins == from {
            top.only_begins = to;
        }
    }

    /// The task whose first id is `from`, and whose span is the topmost, ends; the next one of the same scope begins
    /// at `next`. Returns false, and does nothing, unless tasks of that scope, and no others, have come right before it.
    #[inline]
    pub(crate) fn next_item(&mut self, from: Id, scope: ScopeNumber, next: Id) -> bool {
        let top = self.pool[self.top];
        if top.low != from
            || top.joined_by != 0
            || top.kept
            || self.pool[top.below].joined_by != scope + 1
        {
            return false;
        }
        let top = &mut self.pool[self.top];
        top.low = next;
        top.only_begins = next + 1;
        true
    }

    /// The task whose first id is `from` ends; the given scope will join it.
    pub fn task_end(&mut self, from: Id, scope: ScopeNumber) -> Result<(), Exhausted> {
        self.rename(from, &|joined_by| match joined_by {
            0 => scope + 1,
            outer => outer.min(scope + 1),
        })
    }

    /// The given scope ends; no task in it has an id below `from`.
    pub fn scope_end(&mut self, from: Id, scope: ScopeNumber) -> Result<(), Exhausted> {
        self.rename(from, &|joined_by| if joined_by > scope { 0 } else { joined_by })
    }

    /// Gives all ids from `from` on new owners and merges neighbours with the same one. Each call
    /// deals with the topmost run of equal owners, after those below. There is more than one run
    /// only where a task joins a scope further out, so the depth of the recursion is small.
    fn rename(&mut self, from: Id, new_owner: &impl Fn(u32) -> u32) -> Result<(), Exhausted> {
        let mut low = from;
        let owner = new_owner(self.pool[self.top].joined_by);
        while self.pool[self.top].low >= from {
            let span = self.pop();
            low = span.low;
            let next = self.pool[self.top];
            if low > from && new_owner(next.joined_by) != owner {
                self.rename(from, new_owner)?;
                break;
            }
            low = low.min(next.low.max(from));
        }
        if self.pool[self.top].joined_by == owner { Ok(()) } else { self.push(low, owner) }
    }

    /// The span that the access is in: its first id, the one after its last, and whether it is
    /// parallel with the current step. The access belongs to an earlier step.
    #[inline(never)]
    pub fn span_of(&self, id: Id) -> (Id, Id, bool) {
        let mut above = self.top;
        let mut at = self.top;
        while self.pool[at].low > id {
            let jump = self.pool[at].jump;
            if self.pool[jump].low > id {
                at = jump;
            } else {
                above = at;
                at = self.pool[at].below;
            }
        }
        let span = self.pool[at];
        let end = if at == self.top { Id::MAX } else { self.pool[above].low };
        (span.low, end, span.joined_by != 0)
    }

    /// How many spans there are, besides the bottom.
    pub(crate) fn depth(&self) -> u32 {
        self.pool[self.top].depth
    }

    /// Where each span begins and the scope that will join it, plus one, or 0; from the top down.
    pub(super) fn top_down(&self) -> impl Iterator<Item = (Id, u32)> + '_ {
        let mut next = Some(self.top);
        std::iter::from_fn(move || {
            let at = next?;
            let Span { low, joined_by, below, .. } = self.pool[at];
            next = (at != 0).then_some(below);
            Some((low, joined_by))
        })
    }

    /// Goes through all ids at which spans begin.
    pub(crate) fn each_bound(&mut self, mut each: impl FnMut(&mut Id)) {
        for span in self.pool.used_mut() {
            each(&mut span.low);
            each(&mut span.only_begins);
            for bound in [&mut span.lowest_parallel, &mut span.all_parallel] {
                if *bound != NOTHING {
                    each(bound);
                }
            }
        }
    }

    /// Keeps the present view for [`Spans::was_serial`].
    pub fn keep(&mut self) -> SpanIndex {
        self.pool[self.top].kept = true;
        self.top
    }

    /// Whether the access, made before the view was kept, was serial in it.
    pub fn was_serial(&self, view: SpanIndex, id: Id) -> bool {
        let mut at = view;
        while self.pool[at].low > id {
            let jump = self.pool[at].jump;
            at = if self.pool[jump].low > id { jump } else { self.pool[at].below };
        }
        self.pool[at].joined_by == 0
    }
}
