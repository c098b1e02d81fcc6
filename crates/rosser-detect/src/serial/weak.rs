//! Weak order: what happened before the current step merely in this run.
//!
//! A release (of a lock, or by an atomic store) keeps what its task knew: a view of what precedes it
//! strongly (see [`crate::order`]) and what the task had itself acquired. An acquire adds that to the
//! knowledge of its task; tasks inherit from their parent, a join hands the knowledge of the joined
//! tasks on, and a promise that of the task that sets it.
//! Knowledge is a graph whose nodes never change, each a few words, and it is looked into only
//! when two accesses conflict: the search goes back in time, newest first, and never past the
//! moment of the earlier access. Because nodes do not change, an answer holds for good: the last
//! answers for an access are remembered, and the next search for it ends where they were found.
//!
//! A lock that goes from task to task makes a *chain*: each node knows all that the one before it
//! knew. So an answer for a node answers for the rest of its chain as well, and a lock that is taken
//! n times does not cost n² steps of search.

use crate::order::{Order, View};
use crate::serial::log::{Id, Site};
use crate::storage::{Exhausted, Pool, Slot, Stack};

/// A node of knowledge; 0 is none.
pub type Knowledge = u32;

/// How one task's knowledge reached another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Via {
    /// By a release and an acquire that were both seen.
    #[default]
    ReleaseAcquire,
    /// By a release in code that is not instrumented, seen by its effect.
    HiddenRelease,
    /// Both tasks asked which worker they run on.
    SameWorker,
}

/// The acquire that ordered two accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hop {
    /// How.
    pub via: Via,
    /// Where the later task acquired.
    pub acquired_at: Site,
    /// Where the other task released.
    pub released_at: Site,
}

/// One node: a view, an acquire, or two nodes together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Node {
    /// Ids from here on are not known.
    before: Id,
    /// What preceded a release; `NO_VIEW` if the node is no release.
    view: View,
    older: Knowledge,
    newer: Knowledge,
    /// Of a release: where. Of an acquire: where, if not 0.
    site: Site,
    /// Of a release: the task, by the id of its beginning.
    task: Id,
    /// The last search that came here.
    visited: u32,
    /// The first node of the chain this one is in, and how far from it.
    chain: Knowledge,
    distance: u32,
    /// Of the first node of a chain: the last one.
    last: Knowledge,
    via: Via,
}

const NO_VIEW: View = u32::MAX;

impl Slot for Node {
    fn next_free(&self) -> u32 {
        self.older
    }

    fn set_next_free(&mut self, next: u32) {
        self.older = next;
    }
}

/// What the last searches for an access have found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Found {
    id: Id,
    /// A node from which the access is known, the acquire that led there and the release that
    /// knew it.
    known: Knowledge,
    acquire: Knowledge,
    release: Knowledge,
    /// A node from which it is not known.
    unknown: Knowledge,
}

/// A search that has come to so many nodes gives up: the access counts as known, so that no conflict
/// is called worse than it is.
const FAR: u32 = 4096;

/// All knowledge of a region.
#[derive(Debug)]
pub struct Weak {
    nodes: Pool<Node>,
    to_visit: Stack<(Knowledge, u32)>,
    searches: u32,
    /// How many of them gave up.
    pub given_up: u64,
    /// By id. Ids are not used again, so that nothing has to be cleared.
    found: &'static mut [Found],
}

impl Weak {
    /// No knowledge yet.
    pub fn new(
        nodes: &'static mut [Node],
        to_visit: &'static mut [(Knowledge, u32)],
        found: &'static mut [Found],
    ) -> Self {
        let (nodes, to_visit) = (Pool::new(nodes), Stack::new(to_visit));
        Self { nodes, to_visit, searches: 0, given_up: 0, found }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.nodes.clear();
    }

    /// Makes room for so many more nodes, and for a search of all.
    pub(crate) fn reserve(&mut self, room: usize) {
        self.nodes.reserve(room);
        self.to_visit.clear();
        self.to_visit.reserve(self.nodes.high_water() as usize + room);
    }

    /// Goes through the tasks that have released something.
    pub(crate) fn each_task(&mut self, mut each: impl FnMut(&mut Id)) {
        for node in &mut self.nodes.used_mut()[1..] {
            each(&mut node.task);
        }
    }

    /// Goes through the ids up to which something is known.
    pub(crate) fn each_bound(&mut self, mut each: impl FnMut(&mut Id)) {
        for node in &mut self.nodes.used_mut()[1..] {
            each(&mut node.before);
        }
        self.forget_found();
    }

    /// Ids have new numbers.
    pub(crate) fn forget_found(&mut self) {
        self.found.fill(Found::default());
    }

    /// Whether nothing was ever released in this region: all order there is, is strong.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.nodes.high_water() <= 1
    }

    /// What a task knows that has acquired `acquired` and whose log ends before `now`. `via` tells
    /// whether the release was seen.
    pub(crate) fn release(
        &mut self,
        order: &mut Order,
        acquired: Knowledge,
        task: Id,
        now: Id,
        site: Site,
        via: Via,
    ) -> Result<Knowledge, Exhausted> {
        let view = order.keep(now)?;
        let node = Node { before: now, view, older: acquired, site, task, via, ..Node::default() };
        self.add(node)
    }

    /// Adds a node to a chain that one of its sources is the last of, or to a new one.
    fn add(&mut self, node: Node) -> Result<Knowledge, Exhausted> {
        let index = self.nodes.take(node)?;
        let is_last = |source: &Knowledge| {
            *source != 0 && self.nodes[self.nodes[*source].chain].last == *source
        };
        let source = [node.newer, node.older].into_iter().find(is_last);
        let (chain, distance) = match source {
            Some(source) => (self.nodes[source].chain, self.nodes[source].distance + 1),
            None => (index, 0),
        };
        self.nodes[index].chain = chain;
        self.nodes[index].distance = distance;
        self.nodes[chain].last = index;
        Ok(index)
    }

    /// Whether a node is the same as another or comes after it in its chain: it knows as much.
    fn follows(&self, node: Knowledge, other: Knowledge) -> bool {
        if node == 0 || other == 0 {
            return false;
        }
        let (node, other) = (&self.nodes[node], &self.nodes[other]);
        node.chain == other.chain && node.distance >= other.distance
    }

    /// The knowledge of both.
    pub fn both(&mut self, a: Knowledge, b: Knowledge) -> Result<Knowledge, Exhausted> {
        if a == b || b == 0 {
            return Ok(a);
        }
        if a == 0 {
            return Ok(b);
        }
        let before = self.nodes[a].before.max(self.nodes[b].before);
        self.add(Node { before, view: NO_VIEW, older: a, newer: b, ..Node::default() })
    }

    /// What a task knows after it acquires `released`, at `site`.
    pub fn acquire(
        &mut self,
        known: Knowledge,
        released: Knowledge,
        task: Id,
        site: Site,
        via: Via,
    ) -> Result<Knowledge, Exhausted> {
        let node = self.nodes[released];
        let own = node.view != NO_VIEW && node.task == task;
        if released == 0 || own || (known != 0 && self.nodes[known].newer == released) {
            return Ok(known);
        }
        let before = node.before.max(if known == 0 { 0 } else { self.nodes[known].before });
        self.add(Node {
            before,
            view: NO_VIEW,
            older: known,
            newer: released,
            site: site.max(1),
            via,
            ..Node::default()
        })
    }

    /// How it is known that the access precedes, if it is.
    #[inline]
    pub(crate) fn knows(&mut self, known: Knowledge, order: &mut Order, id: Id) -> Option<Hop> {
        if known == 0 { None } else { self.search::<FAR>(known, order, id) }
    }

    /// Whether it is known that the access precedes, however long the search takes.
    pub(crate) fn knows_exactly(&mut self, known: Knowledge, order: &mut Order, id: Id) -> bool {
        known != 0 && self.search::<{ u32::MAX }>(known, order, id).is_some()
    }

    #[inline(never)]
    fn search<const LIMIT: u32>(
        &mut self,
        known: Knowledge,
        order: &mut Order,
        id: Id,
    ) -> Option<Hop> {
        let slot = id as usize % self.found.len();
        let mut found = self.found[slot];
        if found.id != id {
            found = Found { id, ..Found::default() };
        }
        self.searches += 1;
        self.to_visit.clear();
        // Each entry carries the acquire of the asking task that led there.
        self.to_visit.push((known, 0)).ok()?;
        let mut visited = 0;
        while let Some((at, hop)) = self.to_visit.pop() {
            let node = self.nodes[at];
            if at == 0
                || node.before <= id
                || node.visited == self.searches
                || self.follows(found.unknown, at)
            {
                continue;
            }
            self.nodes[at].visited = self.searches;
            visited += 1;
            if visited > LIMIT {
                self.given_up += 1;
                self.found[slot] = Found { known, acquire: hop, release: 0, ..found };
                return Some(self.hop(hop, 0));
            }
            let is_release = node.view != NO_VIEW;
            let newer_hop = if hop == 0 && !is_release && node.site != 0 { at } else { hop };
            let known_before = self.follows(at, found.known);
            if known_before || is_release && order.was_serial(node.view, id) {
                let release = if known_before { found.release } else { at };
                let acquire = match (known_before, newer_hop) {
                    (false, _) => hop,
                    (true, 0) => found.acquire,
                    (true, hop) => hop,
                };
                self.found[slot] = Found { known, acquire, release, ..found };
                return Some(self.hop(acquire, release));
            }
            self.to_visit.push((node.older, hop)).ok()?;
            self.to_visit.push((node.newer, newer_hop)).ok()?;
        }
        self.found[slot] = Found { unknown: known, ..found };
        None
    }

    fn hop(&self, acquire: Knowledge, release: Knowledge) -> Hop {
        let (acquire, release) = (self.nodes[acquire], self.nodes[release]);
        Hop {
            via: if release.via == Via::HiddenRelease { release.via } else { acquire.via },
            acquired_at: acquire.site,
            released_at: release.site,
        }
    }
}
