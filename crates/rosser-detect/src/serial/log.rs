//! The log: one 32-bit word for everything that later steps may have to be told about.
//!
//! An access is remembered as an [`Id`], an index into this log, and so is the beginning and the
//! end of each task. Because the run is depth-first, the log is a bracket sequence: the task of an
//! access, that task's parent and so on are found by walking back from it. And because ids only
//! grow, *this step has touched the cell* is one comparison: the id in the cell is not below the
//! log's length at the step's beginning.
//!
//! When a region ends, nobody asks for what its ids stand for any more, and the next one uses the same
//! words again.
//!
//! Once execution is not depth-first, brackets do not nest: then a beginning is followed by a word
//! that names the parent's, and [`crate::order`] knows the task of an access.
//!
//! ```text
//! 31  29 28                            0
//! ┌─────┬──────────────────────────────┐
//! │ tag │ payload                      │
//! └─────┴──────────────────────────────┘
//!   0     an access: its site
//!   1…5   the beginning of a task of that kind, or if bit 28 is set of a kind five higher: where it was spawned
//!   6     a promise was set: where
//!   7     the end of a task: how far back its beginning is, or 0 if that is too far
//! ```

use crate::storage::{Exhausted, larger};

/// A place in the log. 0 is none.
pub type Id = u32;

/// Where in the program something was done; opaque here. At most [`SITE_MAX`].
pub type Site = u32;

/// The largest site; also stands for all that are larger.
pub const SITE_MAX: Site = PAYLOAD;

const TAG_SHIFT: u32 = 29;
const PAYLOAD: u32 = (1 << TAG_SHIFT) - 1;
const ACCESS: u32 = 0;
const SET: u32 = 6;
const END: u32 = 7;
/// So many kinds of tasks have tags; bit 28 tells them from as many others.
const KINDS: u32 = 5;
const OTHER_KIND: u32 = 1 << 28;
/// The largest site of a beginning; also stands for all that are larger.
const BEGIN_SITE_MAX: Site = OTHER_KIND - 1;

/// How a task came about, 1 to 10. What each number means is the executor's business.
pub type TaskTag = u32;

/// The word for the beginning of a task.
#[inline]
fn beginning(tag: TaskTag, site: Site) -> u32 {
    debug_assert!((1..=2 * KINDS).contains(&tag));
    let (tag, other) = if tag > KINDS { (tag - KINDS, OTHER_KIND) } else { (tag, 0) };
    tag << TAG_SHIFT | other | site.min(BEGIN_SITE_MAX)
}

/// A task, as the log knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Beginning {
    /// Where its beginning is in the log; names the task.
    pub id: Id,
    /// How it came about.
    pub tag: TaskTag,
    /// Where it was spawned.
    pub site: Site,
}

impl Beginning {
    /// What the word at an id says, which is that of a beginning.
    fn of(id: Id, word: u32) -> Self {
        let other = if word & OTHER_KIND == 0 { 0 } else { KINDS };
        Self { id, tag: (word >> TAG_SHIFT) + other, site: word & BEGIN_SITE_MAX }
    }
}

/// What an id can stand for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// An access, or the set of a promise.
    Access,
    /// The beginning of a task.
    Begin,
    /// The end of a task.
    End,
}

/// The log of one parallel region.
#[derive(Debug)]
pub struct Log {
    words: &'static mut [u32],
    /// The id of the first word: the last one before the region.
    pub origin: Id,
    /// The id that comes next. The access path may log an access by itself: its site, which is not above
    /// [`SITE_MAX`], is then, so far from the origin, in the words that the log was made with.
    pub len: u32,
}

impl Log {
    /// An empty log.
    pub fn new(words: &'static mut [u32]) -> Self {
        Self { words, origin: 0, len: 1 }
    }

    /// The id that comes next.
    #[inline]
    pub fn next(&self) -> Id {
        self.len
    }

    /// Forgets everything and starts over.
    pub fn restart(&mut self) {
        (self.origin, self.len) = (0, 1);
    }

    /// Forgets what all ids stand for. Returns the words that were used; their contents do not matter
    /// any more.
    pub fn forget(&mut self) -> &mut [u32] {
        let used = (self.len - self.origin) as usize;
        self.origin = self.len - 1;
        &mut self.words[..used]
    }

    /// Makes room for so many more words.
    pub(crate) fn reserve(&mut self, room: usize) {
        if let Some(words) = larger(self.words, self.index(self.len), room) {
            self.words = words;
        }
    }

    /// Where the word of an id is.
    #[inline]
    fn index(&self, id: Id) -> usize {
        id.wrapping_sub(self.origin) as usize
    }

    #[inline]
    fn word(&self, id: Id) -> u32 {
        self.words[self.index(id)]
    }

    #[inline]
    fn word_mut(&mut self, id: Id) -> &mut u32 {
        let index = self.index(id);
        &mut self.words[index]
    }

    #[inline]
    fn push(&mut self, tag: u32, payload: u32) -> Result<Id, Exhausted> {
        self.push_word(tag << TAG_SHIFT | payload)
    }

    #[inline]
    fn push_word(&mut self, word: u32) -> Result<Id, Exhausted> {
        let id = self.len;
        // The last id stands for "unmonitored" in cells.
        if id == Id::MAX {
            return Err(Exhausted);
        }
        let index = self.index(id);
        *self.words.get_mut(index).ok_or(Exhausted)? = word;
        self.len += 1;
        Ok(id)
    }

    /// Logs an access.
    #[inline]
    pub fn access(&mut self, site: Site) -> Result<Id, Exhausted> {
        self.push(ACCESS, site.min(SITE_MAX))
    }

    /// Logs the set of a promise.
    pub fn set(&mut self, site: Site) -> Result<Id, Exhausted> {
        self.push(SET, site.min(SITE_MAX))
    }

    /// Whether the id is that of a set.
    pub fn is_set(&self, id: Id) -> bool {
        self.word(id) >> TAG_SHIFT == SET
    }

    /// Logs the beginning of a task.
    pub fn begin(&mut self, tag: TaskTag, site: Site) -> Result<Id, Exhausted> {
        self.push_word(beginning(tag, site))
    }

    /// Whether there is room for so many more words.
    #[inline]
    pub(crate) fn has_room(&self, words: u32) -> bool {
        self.len < Id::MAX - words && self.index(self.len + words) <= self.words.len()
    }

    /// Logs the end of the task that began at an id and the beginning of another. There is room for both.
    #[inline]
    pub(crate) fn end_and_begin(&mut self, begin: Id, tag: TaskTag, site: Site) {
        let back = self.len - begin;
        let index = self.index(self.len);
        self.words[index] = END << TAG_SHIFT | if back <= PAYLOAD { back } else { 0 };
        self.words[index + 1] = beginning(tag, site);
        self.len += 2;
    }

    /// The task that begins at an id was spawned elsewhere.
    #[inline]
    pub(crate) fn set_site(&mut self, begin: Id, site: Site) {
        let word = self.word_mut(begin);
        *word = *word & !BEGIN_SITE_MAX | site.min(BEGIN_SITE_MAX);
    }

    /// Logs the end of the task that began at `beginning`.
    pub fn end(&mut self, beginning: Id) -> Result<(), Exhausted> {
        let back = self.len - beginning;
        self.push(END, if back <= PAYLOAD { back } else { 0 }).map(|_| ())
    }

    /// Logs the beginning of a task out of depth-first order, with that of its parent.
    pub fn begin_below(&mut self, tag: TaskTag, site: Site, parent: Id) -> Result<Id, Exhausted> {
        let id = self.begin(tag, site)?;
        self.push(0, 0)?;
        *self.word_mut(id + 1) = parent;
        Ok(id)
    }

    /// The beginning at an id, and that of its parent, of a task begun out of depth-first order.
    pub fn beginning(&self, id: Id) -> (Beginning, Id) {
        (Beginning::of(id, self.word(id)), self.word(id + 1))
    }

    /// Whether two accesses were made at one site.
    #[inline]
    pub(crate) fn are_at_one_place(&self, one: Id, other: Id) -> bool {
        self.word(one) == self.word(other)
    }

    /// What an id stands for.
    pub fn mark(&self, id: Id) -> Mark {
        match self.word(id) >> TAG_SHIFT {
            ACCESS | SET => Mark::Access,
            END => Mark::End,
            _ => Mark::Begin,
        }
    }

    /// Which of the up to 64 ids from `first` on are not accesses, one bit each; sets may be among them.
    #[inline]
    pub(crate) fn marks(&self, first: Id, end: Id) -> u64 {
        /// Moves the lowest bits of eight bytes next to each other, at the top.
        const GATHER: u64 = 0x0102_0408_1020_4080;
        let words = &self.words[self.index(first)..self.index(end)];
        let mut is_mark = [0; 64];
        for (is_mark, word) in is_mark.iter_mut().zip(words) {
            *is_mark = u8::from(*word >= (ACCESS + 1) << TAG_SHIFT);
        }
        is_mark.as_chunks().0.iter().rev().fold(0, |marks, eight| {
            marks << 8 | u64::from_le_bytes(*eight).wrapping_mul(GATHER) >> 56
        })
    }

    /// Keeps of the ids from `first` on only some, in their order; they are then those up to `end`.
    /// There is room for the beginnings of the tasks around each. Of an end that is kept the beginning
    /// is, too.
    pub(crate) fn keep(
        &mut self,
        (first, end): (Id, Id),
        kept: impl Iterator<Item = Id>,
        around: &mut [(Id, u32)],
    ) {
        let mut to = first;
        let mut depth = 0;
        for id in kept {
            let mut word = self.word(id);
            match word >> TAG_SHIFT {
                ACCESS | SET => {}
                END => {
                    let inner = depth > 0;
                    depth -= usize::from(inner);
                    let back = to - if inner { around[depth].0 } else { first };
                    if word & PAYLOAD != 0 {
                        word = END << TAG_SHIFT | if back <= PAYLOAD { back } else { 0 };
                    }
                }
                _ => {
                    around[depth].0 = to;
                    depth += 1;
                }
            }
            *self.word_mut(to) = word;
            to += 1;
        }
        debug_assert_eq!(to, end);
        self.len = end;
    }

    /// Where the access was made, or the task spawned.
    pub fn site(&self, id: Id) -> Site {
        let word = self.word(id);
        if self.mark(id) == Mark::Begin { word & BEGIN_SITE_MAX } else { word & PAYLOAD }
    }

    /// The task that made the access, its parent and so on, as far as they began at or after
    /// `from`.
    pub fn tasks_of(&self, id: Id, from: Id) -> impl Iterator<Item = Beginning> + '_ {
        let mut at = id;
        std::iter::from_fn(move || {
            while at >= from && at > 0 {
                let here = at;
                let word = self.word(at);
                at -= 1;
                match word >> TAG_SHIFT {
                    ACCESS | SET => {}
                    END => at = here.saturating_sub(word & PAYLOAD).saturating_sub(1),
                    _ => return Some(Beginning::of(here, word)),
                }
            }
            None
        })
    }

    /// The other accesses of the step that made this one, up to its next task event.
    pub fn step_of(&self, id: Id) -> impl Iterator<Item = Site> + '_ {
        self.words[self.index(id)..self.index(self.len)]
            .iter()
            .take_while(|word| **word >> TAG_SHIFT == ACCESS)
            .map(|word| word & PAYLOAD)
    }
}

#[cfg(test)]
mod tests {
    use super::Log;

    #[test]
    fn marks_are_what_is_no_access() {
        let mut log = Log::new(Box::leak(vec![0; 300].into()));
        let is_mark = |id: u32| id.is_multiple_of(3) || id.is_multiple_of(7);
        for id in 1..200 {
            if is_mark(id) { log.begin(1 + id % 5, id) } else { log.access(id) }.unwrap();
        }
        for (first, end) in [(1, 65), (9, 73), (20, 21), (100, 150), (136, 200)] {
            let expected =
                (first..end).map(|id| u64::from(is_mark(id)) << (id - first)).sum::<u64>();
            assert_eq!(log.marks(first, end), expected, "{first}..{end}");
        }
    }

    #[test]
    fn tasks_are_found_by_walking_back() {
        let mut log = Log::new(Box::leak(vec![0; 100].into()));
        let outer = log.begin(1, 10).unwrap();
        let first = log.begin(2, 20).unwrap();
        let in_first = log.access(5).unwrap();
        log.end(first).unwrap();
        let second = log.begin(3, 30).unwrap();
        let in_second = log.access(6).unwrap();
        let tasks: Vec<_> = log.tasks_of(in_second, 0).map(|task| (task.id, task.tag)).collect();
        assert_eq!(tasks, [(second, 3), (outer, 1)]);
        let tasks: Vec<_> = log.tasks_of(in_first, 0).map(|task| (task.id, task.site)).collect();
        assert_eq!(tasks, [(first, 20), (outer, 10)]);
        let within = log.tasks_of(in_second, outer + 1);
        assert_eq!(within.map(|task| task.id).collect::<Vec<_>>(), [second]);
        assert_eq!(log.site(in_first), 5);
    }
}
