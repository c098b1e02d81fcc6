//! Order that the tree does not hold: joins through promises.
//!
//! What a task has learnt from joins is a *head*: a node of a persistent graph, shared by all who learnt
//! the same. A join adds a node that names the source step, what the joining task knew before
//! (`older`) and what the source knew (`via`). A child starts with its parent's head; the end of a
//! scope merges the heads of the tasks in it.
//!
//! ```text
//!   promise set at step s by a task with head v        task with head o gets it
//!                    └──────────────► Join { source: s, via: v, older: o } = its new head
//! ```
//!
//! A step precedes another through joins exactly if it is, or tree-precedes, a source that can be
//! reached from the other's head. Because nodes never change, an answer about a step and a head holds
//! for good, and is remembered. It is asked in four stages, each dearer than the one before: what is
//! remembered; the bounds of all sources below a node; a search of the newest joins; the set of all
//! sources below ([`super::frontier`]). Should there be no memory for that, everything is searched.

use super::frontier::{Bound, Children, Frontiers, SourceSet};
use super::tree::{Step, Tree};
use crate::serial::log::Id;
use crate::storage::{Exhausted, Stack};

/// The most nodes that a search visits before it gives up and asks the frontier.
const BUDGET: usize = 24;

/// What a task knows from joins: a node; 0 is nothing.
pub type Head = u32;

const NOTHING: Head = 0;
const NO_STEP: Step = u32::MAX;

/// A join, or a merge of two heads if there is no source.
#[derive(Clone, Copy, Default, Debug)]
pub struct Join {
    source: Step,
    /// The source's number in the frontiers.
    number: u32,
    older: Head,
    via: Head,
    /// The sources below with the greatest place in English and in Hebrew order.
    last_english: Step,
    last_hebrew: Step,
    /// Ids from here on are later than every source below.
    latest: Id,
    /// All sources below, if `is_known`.
    root: u32,
    height: u8,
    is_known: bool,
    /// The last search of everything that came here.
    visited: u32,
}

const _: () = assert!(size_of::<Join>() == 40);

/// A point from which a join can start: the end of a step, and what was known there.
#[derive(Clone, Copy, Default, Debug)]
pub struct Point {
    /// The step that ends here.
    pub(super) step: Step,
    /// What its task had learnt.
    pub(super) head: Head,
    /// Ids from here on are later.
    at: Id,
    /// The number of the step as a source, plus one, once it is one.
    number: u32,
    /// The last join made from here: what the joining task knew before, and after.
    before: Head,
    after: Head,
}

impl Point {
    pub(super) fn new(step: Step, head: Head, at: Id) -> Self {
        Self { step, head, at, ..Self::default() }
    }
}

/// Whether a step precedes what a head stands for.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
enum Answer {
    Yes,
    No,
    /// A short search has not found out.
    #[default]
    Unknown,
}

impl From<bool> for Answer {
    fn from(precedes: bool) -> Self {
        if precedes { Self::Yes } else { Self::No }
    }
}

const _: () = assert!(size_of::<Point>() == 24);

/// An answer that was given before.
#[derive(Clone, Copy, Default, Debug)]
pub struct Remembered {
    step: Step,
    head: Head,
    /// The region that the answer is of.
    region: u32,
    answer: Answer,
}

/// The memory that joins need.
#[derive(Debug)]
pub struct JoinStorage {
    /// One for each get of a promise that orders something.
    pub joins: &'static mut [Join],
    /// As many as joins, for searches.
    pub to_visit: &'static mut [Head],
    /// One for each promise that was got.
    pub sources: &'static mut [Step],
    /// For the sets of sources.
    pub leaves: &'static mut [u64],
    /// For the sets of sources.
    pub nodes: &'static mut [Children],
    /// One for each 50 sources.
    pub bounds: &'static mut [Bound],
    /// Answers that may be asked for again, as many as a power of two; a few thousand will do.
    pub answers: &'static mut [Remembered],
}

/// The graph of joins.
#[derive(Debug)]
pub(crate) struct Joins {
    nodes: Stack<Join>,
    to_visit: Stack<Head>,
    frontiers: Frontiers,
    searches: u32,
    /// How many nodes a search visits, at most [`BUDGET`].
    budget: u32,
    answers: &'static mut [Remembered],
    /// How many regions there were.
    region: u32,
    /// Whether there is always memory for sets of sources.
    sets_grow: bool,
}

impl Joins {
    pub(super) fn new(storage: JoinStorage) -> Self {
        let JoinStorage { joins, to_visit, sources, leaves, nodes, bounds, answers } = storage;
        assert!(answers.len().is_power_of_two(), "a slot is found by a mask");
        Self {
            nodes: Stack::new(joins),
            to_visit: Stack::new(to_visit),
            frontiers: Frontiers::new(sources, leaves, nodes, bounds),
            searches: 0,
            budget: BUDGET as u32,
            answers,
            region: 0,
            sets_grow: false,
        }
    }

    /// Makes room for so many more joins, and for a search of all.
    pub(super) fn reserve(&mut self, room: usize) {
        self.nodes.reserve(room);
        self.to_visit.clear();
        self.to_visit.reserve(2 * (self.nodes.len() as usize + room));
        self.frontiers.reserve(room);
        self.sets_grow = true;
    }

    pub(crate) fn limit_searches(&mut self, budget: u32) {
        self.budget = budget.min(BUDGET as u32);
    }

    pub(super) fn clear(&mut self) -> Result<(), Exhausted> {
        self.nodes.clear();
        self.nodes.push(Join::default())?;
        self.frontiers.clear();
        self.region += 1;
        Ok(())
    }

    /// What a task knows that has learnt `older` and, now in step `now`, learns of a point and all
    /// that was known there.
    pub(crate) fn join(
        &mut self,
        tree: &Tree,
        from: &mut Point,
        older: Head,
        now: Step,
    ) -> Result<Head, Exhausted> {
        let via = self.prune(tree, from.head, now);
        if tree.precedes_or_is(from.step, now) {
            // The tree holds this order already; only what the source had learnt can be new.
            return self.merge(tree, older, via);
        }
        // Tasks that know the same and join the same share what they have learnt.
        let (before, after) = (from.before, from.after);
        if after == NOTHING || before != older || self.nodes[after].via != via {
            (from.before, from.after) = (older, self.add_source(tree, from, older, via)?);
        }
        Ok(from.after)
    }

    /// As [`Self::join`], but the tree holds nothing of the order and nothing is shared.
    pub(crate) fn add_source(
        &mut self,
        tree: &Tree,
        from: &mut Point,
        older: Head,
        via: Head,
    ) -> Result<Head, Exhausted> {
        if from.number == 0 {
            from.number = self.frontiers.register(tree, from.step)? + 1;
        }
        self.add(tree, Some(from), older, via)
    }

    /// The knowledge of both.
    pub(crate) fn merge(&mut self, tree: &Tree, a: Head, b: Head) -> Result<Head, Exhausted> {
        if b == NOTHING || a == b {
            return Ok(a);
        }
        if a == NOTHING || self.nodes[b].older == a {
            return Ok(b);
        }
        if self.nodes[a].older == b {
            return Ok(a);
        }
        self.add(tree, None, a, b)
    }

    fn add(
        &mut self,
        tree: &Tree,
        from: Option<&Point>,
        older: Head,
        via: Head,
    ) -> Result<Head, Exhausted> {
        let source = from.map_or(NO_STEP, |from| from.step);
        let mut join = Join {
            source,
            number: from.map_or(0, |from| from.number - 1),
            older,
            via,
            last_english: source,
            last_hebrew: source,
            latest: from.map_or(0, |from| from.at),
            ..Join::default()
        };
        for below in [older, via] {
            if below != NOTHING {
                let below = &self.nodes[below];
                let is_later = |theirs, ours, label: fn(&Tree, Step) -> u64| {
                    ours == NO_STEP || label(tree, theirs) > label(tree, ours)
                };
                if is_later(below.last_english, join.last_english, Tree::english) {
                    join.last_english = below.last_english;
                }
                if is_later(below.last_hebrew, join.last_hebrew, Tree::hebrew) {
                    join.last_hebrew = below.last_hebrew;
                }
                join.latest = join.latest.max(below.latest);
            }
        }
        self.nodes.add(join)
    }

    /// Forgets a head whose sources all come before `now` through the tree, so that a program that
    /// waits for its futures inside a finish keeps nothing of them after it.
    pub(crate) fn prune(&self, tree: &Tree, head: Head, now: Step) -> Head {
        if head != NOTHING {
            let join = &self.nodes[head];
            if tree.english(join.last_english) <= tree.english(now)
                && tree.hebrew(join.last_hebrew) <= tree.hebrew(now)
            {
                return NOTHING;
            }
        }
        head
    }

    /// Whether a step, one of whose ids is given, precedes whatever knows `head`.
    pub(crate) fn reaches(&mut self, tree: &Tree, step: Step, id: Id, head: Head) -> bool {
        if !self.is_within_bounds(tree, step, id, head) {
            return false;
        }
        if let Some(answer) = self.reaches_plainly(tree, step, id, head) {
            return answer;
        }
        let answer = match self.frontier_if_there_is_room(head) {
            Ok(sources) => self.frontiers.has_successor(tree, sources, step),
            Err(Exhausted) => self.search_everything(tree, step, id, head),
        };
        self.remember(step, head, answer.into());
        answer
    }

    /// As [`Self::reaches`], if a short search is enough to know.
    pub(crate) fn reaches_plainly(
        &mut self,
        tree: &Tree,
        step: Step,
        id: Id,
        head: Head,
    ) -> Option<bool> {
        if !self.is_within_bounds(tree, step, id, head) {
            return Some(false);
        }
        match self.remembered(step, head) {
            Some(Answer::Unknown) => return None,
            Some(answer) => return Some(answer == Answer::Yes),
            None => {}
        }
        let found = self.search(tree, step, id, head);
        let answer = found.map_or(Answer::Unknown, Answer::from);
        self.remember(step, head, answer);
        found
    }

    fn remember(&mut self, step: Step, head: Head, answer: Answer) {
        let region = self.region;
        self.answers[self.slot(step, head)] = Remembered { step, head, region, answer };
    }

    #[inline]
    fn remembered(&self, step: Step, head: Head) -> Option<Answer> {
        let found = &self.answers[self.slot(step, head)];
        let same = (found.step, found.head, found.region) == (step, head, self.region);
        same.then_some(found.answer)
    }

    /// Where the answer about a step and a head is remembered.
    #[inline]
    fn slot(&self, step: Step, head: Head) -> usize {
        (step ^ head.wrapping_mul(0x9E37_79B9) >> 16) as usize & (self.answers.len() - 1)
    }

    #[inline]
    fn is_within_bounds(&self, tree: &Tree, step: Step, id: Id, head: Head) -> bool {
        head != NOTHING && {
            let join = &self.nodes[head];
            id < join.latest
                && tree.hebrew(step) <= tree.hebrew(join.last_hebrew)
                && tree.english(step) <= tree.english(join.last_english)
        }
    }

    /// Breadth-first, newest first. `None` when the budget is used up. Ends where the answer is
    /// remembered: what many tasks ask about, one of those that they wait for has mostly asked about.
    ///
    /// The nodes still to be visited are a queue: the `older` chain of a head is one level of the
    /// search, so it goes on at the front, and what lies behind a source is the next level.
    fn search(&self, tree: &Tree, step: Step, id: Id, head: Head) -> Option<bool> {
        let mut levels = [NOTHING; BUDGET];
        let (mut read, mut write) = (0, 0);
        let mut next = head;
        for _ in 0..self.budget {
            while !self.is_within_bounds(tree, step, id, next)
                || self.remembered(step, next) == Some(Answer::No)
            {
                if read == write {
                    return Some(false);
                }
                next = levels[read];
                read += 1;
            }
            let join = &self.nodes[next];
            if (join.source != NO_STEP && tree.precedes_or_is(step, join.source))
                || self.remembered(step, next) == Some(Answer::Yes)
            {
                return Some(true);
            }
            levels[write] = join.via;
            write += 1;
            next = join.older;
        }
        None
    }

    #[cold]
    fn frontier_if_there_is_room(&mut self, head: Head) -> Result<SourceSet, Exhausted> {
        let mut sources = self.frontier(head);
        while sources.is_err() && self.sets_grow {
            self.frontiers.reserve_sets();
            sources = self.frontier(head);
        }
        sources
    }

    /// All sources below a head. Builds what is missing from the bottom up, without recursion:
    /// chains of promises are as long as programs make them.
    #[cold]
    fn frontier(&mut self, head: Head) -> Result<SourceSet, Exhausted> {
        self.to_visit.clear();
        self.to_visit.push(head)?;
        while let Some(top) = self.to_visit.as_slice().last().copied() {
            let Join { source, number, older, via, is_known, .. } = self.nodes[top];
            if is_known {
                self.to_visit.pop();
                continue;
            }
            let mut missing = false;
            for below in [older, via] {
                if self.known_frontier(below).is_none() {
                    self.to_visit.push(below)?;
                    missing = true;
                }
            }
            if missing {
                continue;
            }
            let both = [older, via].map(|below| self.known_frontier(below));
            let [Some(older), Some(via)] = both else { continue };
            let mut all = self.frontiers.union(older, via)?;
            if source != NO_STEP {
                all = self.frontiers.insert(all, number)?;
            }
            let join = &mut self.nodes[top];
            (join.root, join.height, join.is_known) = (all.root, all.height, true);
            self.to_visit.pop();
        }
        self.known_frontier(head).ok_or(Exhausted)
    }

    fn known_frontier(&self, head: Head) -> Option<SourceSet> {
        if head == NOTHING {
            return Some(SourceSet::EMPTY);
        }
        let Join { root, height, is_known, .. } = self.nodes[head];
        is_known.then_some(SourceSet { root, height })
    }

    /// Visits every node once at most.
    #[cold]
    fn search_everything(&mut self, tree: &Tree, step: Step, id: Id, head: Head) -> bool {
        self.searches += 1;
        self.to_visit.clear();
        let mut next = head;
        loop {
            if self.is_within_bounds(tree, step, id, next)
                && self.nodes[next].visited != self.searches
            {
                let join = &mut self.nodes[next];
                join.visited = self.searches;
                if join.source != NO_STEP && tree.precedes_or_is(step, join.source) {
                    return true;
                }
                next = join.older;
                let via = join.via;
                // There is room: every node is put here once at most.
                if via != NOTHING && self.to_visit.push(via).is_err() {
                    return false;
                }
                continue;
            }
            match self.to_visit.pop() {
                Some(via) => next = via,
                None => return false,
            }
        }
    }

    /// How many joins there are.
    pub(crate) fn len(&self) -> u32 {
        self.nodes.len()
    }

    /// How many bytes the sets of sources use.
    pub(crate) fn frontier_bytes(&self) -> usize {
        self.frontiers.bytes()
    }
}
