//! Weak order: what happened before merely in this run.
//!
//! As in the serial engine, a release keeps what its task knew and an acquire adds that to the knowledge
//! of its task. Knowledge is a graph whose nodes never change; it is looked into only when two accesses
//! conflict. Numbers of nodes grow with time, so a search never goes past the moment of the earlier access.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};

use crate::serial::log::Site;
use crate::serial::weak::{Hop, Via};
use crate::storage::Exhausted;

use crate::sf_order::futures::Set;
use crate::sf_order::log::{Id, Log};
use crate::sf_order::strands::Strand;

/// A node of knowledge; 0 is none.
pub type Knowledge = u32;

/// A search that has come to so many nodes gives up: the access counts as known, so that no conflict
/// is called worse than it is.
const FAR: usize = 4096;

/// A piece of knowledge: a release, an acquire, or a moment.
#[derive(Debug, Default)]
#[repr(C)]
pub struct Node {
    /// Of a release: its strand, and the first id that comes after it. Of a moment: where its
    /// bounds are.
    what: AtomicU64,
    /// Two nodes whose knowledge it has, too. Of a release: one, and the futures that its strand had got.
    sources: AtomicU64,
    /// Where, and what kind of node it is.
    site: AtomicU64,
}

const RELEASE: u64 = 1;
const ACQUIRE: u64 = 2;
const MOMENT: u64 = 3;
const BOTH: u64 = 4;
/// A release to whoever asks for the same worker.
const TO_WORKER: u64 = 5;

/// All knowledge.
#[derive(Debug)]
pub struct Weak {
    nodes: &'static [Node],
    next: AtomicU32,
    /// Of moments: for each worker, the first id that comes after it.
    bounds: &'static [AtomicU32],
    next_bounds: AtomicU32,
}

/// What a worker needs to search.
#[derive(Debug)]
pub struct Search {
    to_visit: Box<[(Knowledge, Knowledge)]>,
    visited: Box<[(Knowledge, u32)]>,
    stamp: u32,
    /// How many searches have given up.
    pub given_up: u64,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            to_visit: vec![(0, 0); FAR].into(),
            visited: vec![(0, 0); 2 * FAR].into(),
            stamp: 0,
            given_up: 0,
        }
    }
}

impl Search {
    /// Whether a node is new to the search.
    fn visit(&mut self, node: Knowledge) -> bool {
        let len = self.visited.len();
        let mut slot = node.wrapping_mul(0x9e37_79b1) as usize % len;
        loop {
            if self.visited[slot].1 != self.stamp {
                self.visited[slot] = (node, self.stamp);
                return true;
            }
            if self.visited[slot].0 == node {
                return false;
            }
            slot = (slot + 1) % len;
        }
    }
}

impl Weak {
    /// No knowledge.
    pub fn new(nodes: &'static [Node], bounds: &'static [AtomicU32]) -> Self {
        Self { nodes, next: AtomicU32::new(1), bounds, next_bounds: AtomicU32::new(0) }
    }

    /// Forgets everything. Nobody may use any meanwhile.
    pub fn clear(&self) {
        self.next.store(1, Relaxed);
        self.next_bounds.store(0, Relaxed);
    }

    /// The newest node.
    #[inline]
    pub fn now(&self) -> Knowledge {
        // Relaxed: a smaller one says less (S6).
        self.next.load(Relaxed) - 1
    }

    fn add(
        &self,
        kind: u64,
        what: u64,
        sources: [Knowledge; 2],
        site: Site,
    ) -> Result<Knowledge, Exhausted> {
        // Relaxed: nobody has the number yet, and the node never changes (S1).
        let index = self.next.fetch_add(1, Relaxed);
        let node = self.nodes.get(index as usize).ok_or(Exhausted)?;
        node.what.store(what, Relaxed);
        node.sources.store(u64::from(sources[0]) << 32 | u64::from(sources[1]), Relaxed);
        node.site.store(kind << 40 | u64::from(site), Relaxed);
        Ok(index)
    }

    /// A strand that knows `known` and has got some futures releases what it has done before an id.
    pub fn release(
        &self,
        known: Knowledge,
        (strand, got): (Strand, Set),
        before: Id,
        site: Site,
        via: Via,
    ) -> Result<Knowledge, Exhausted> {
        let kind = if via == Via::SameWorker { TO_WORKER } else { RELEASE };
        self.add(kind, u64::from(strand) << 32 | u64::from(before), [known, got], site)
    }

    /// Somebody who knows `known` has found out that all that was done so far was released: the ids
    /// of each worker before the given one.
    pub fn moment(
        &self,
        known: Knowledge,
        site: Site,
        bounds: impl ExactSizeIterator<Item = Id>,
    ) -> Result<Knowledge, Exhausted> {
        // Relaxed: as for the node that names them.
        let at = self.next_bounds.fetch_add(bounds.len() as u32, Relaxed);
        for (index, bound) in bounds.enumerate() {
            self.bounds.get(at as usize + index).ok_or(Exhausted)?.store(bound, Relaxed);
        }
        self.add(MOMENT, at.into(), [known, 0], site)
    }

    /// Somebody who knows `known` acquires what was released.
    pub fn acquire(
        &self,
        known: Knowledge,
        released: Knowledge,
        site: Site,
    ) -> Result<Knowledge, Exhausted> {
        if released == 0 || released == known {
            return Ok(known);
        }
        self.add(ACQUIRE, 0, [released, known], site)
    }

    /// The knowledge of both.
    pub fn both(&self, a: Knowledge, b: Knowledge) -> Result<Knowledge, Exhausted> {
        if a == b || b == 0 {
            return Ok(a);
        }
        if a == 0 {
            return Ok(b);
        }
        self.add(BOTH, 0, [a, b], 0)
    }

    /// Whether somebody knows of an access, and by which acquire. `precedes` tells whether one strand
    /// precedes another that has got some futures.
    pub fn knows(
        &self,
        known: Knowledge,
        id: Id,
        log: &Log,
        search: &mut Search,
        mut precedes: impl FnMut(Strand, Strand, Set) -> bool,
    ) -> Option<Hop> {
        let (time, strand, worker) = (log.time(id), log.strand(id), log.worker(id));
        if known <= time {
            return None;
        }
        search.stamp = search.stamp.wrapping_add(1);
        if search.stamp == 0 {
            search.visited.fill((0, 0));
            search.stamp = 1;
        }
        let (mut len, mut visits) = (1, 0);
        search.to_visit[0] = (known, 0);
        while len > 0 {
            // The newest first: whoever had a lock last is the likeliest to know.
            let newest = (0..len).rev().take(8).max_by_key(|&index| search.to_visit[index].0)?;
            let (at, acquire) = search.to_visit[newest];
            len -= 1;
            search.to_visit[newest] = search.to_visit[len];
            if at <= time || !search.visit(at) {
                continue;
            }
            visits += 1;
            let node = &self.nodes[at as usize];
            let (what, kind) = (node.what.load(Relaxed), node.site.load(Relaxed) >> 40);
            let sources = node.sources.load(Relaxed);
            let mut sources = [sources as u32, (sources >> 32) as Knowledge];
            let is_known = match kind {
                RELEASE | TO_WORKER => {
                    let releaser = (what >> 32) as Strand;
                    let got = std::mem::take(&mut sources[0]);
                    if releaser == strand {
                        id < what as Id
                    } else {
                        precedes(strand, releaser, got)
                    }
                }
                MOMENT => id < self.bounds[(what as u32 + worker) as usize].load(Relaxed),
                _ => false,
            };
            if is_known || visits >= FAR - 2 {
                search.given_up += u64::from(!is_known);
                return Some(Hop {
                    via: match kind {
                        MOMENT => Via::HiddenRelease,
                        TO_WORKER => Via::SameWorker,
                        _ => Via::ReleaseAcquire,
                    },
                    acquired_at: self.site(acquire),
                    released_at: self.site(at),
                });
            }
            let acquire = if kind == ACQUIRE { at } else { acquire };
            for source in sources {
                if source > time && len < FAR {
                    search.to_visit[len] = (source, acquire);
                    len += 1;
                }
            }
        }
        None
    }

    fn site(&self, node: Knowledge) -> Site {
        if node == 0 { 0 } else { self.nodes[node as usize].site.load(Relaxed) as Site }
    }
}
