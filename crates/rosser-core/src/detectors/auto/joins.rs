//! Order that the tree does not hold: joins through promises and, in the graph with weak edges,
//! through locks and semaphores.
//!
//! What a task has learnt from joins is a *head*: a node of a persistent graph, shared by all who
//! learnt the same. A join adds a node that names the source step, what the joining task knew
//! before (`older`) and what the source knew (`via`). A child starts with its parent's head; the
//! end of a scope merges the heads of the tasks in it.
//!
//! ```text
//!   promise set at step s by a task with head v        task with head o gets it
//!                    └──────────────► Join { source: s, via: v, older: o } = its new head
//! ```
//!
//! A step precedes the current one through joins exactly if it is, or tree-precedes, a source that
//! can be reached from the head. That is asked in three stages, each dearer than the one before:
//! 1. *Bounds.* Every node knows the greatest English and Hebrew place and the latest beginning of
//!    all sources below it. A step beyond any of them precedes none of these.
//! 2. *Search*, breadth-first, newest joins first, over a few nodes: programs mostly ask about
//!    what they were just told. This is DRDP's order of traversal.
//! 3. *Frontier.* The set of all sources below a node, built when first needed and shared between
//!    nodes; one descent answers. See [`super::frontier`].

use super::frontier::{Frontiers, SourceSet};
use super::tree::{ScopeId, Tree};
use crate::ids::{LockId, PromiseId, StepId, TaskId, TokenId};

/// The most nodes that a search visits before it gives up and asks the frontier.
pub(super) const MAX_BUDGET: u32 = 24;

const NO_STEP: StepId = StepId(u32::MAX);

/// What a task knows from joins: a node, or nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Head(u32);

impl Head {
    const NOTHING: Self = Self(u32::MAX);

    fn is_some(self) -> bool {
        self != Self::NOTHING
    }
}

/// A join, or a merge of two heads if there is no source.
#[derive(Clone, Copy, Debug)]
struct Join {
    source: StepId,
    /// The source's number in the frontiers.
    number: u32,
    older: Head,
    via: Head,
    /// The sources below with the greatest place in English and in Hebrew order.
    last_english: StepId,
    last_hebrew: StepId,
    /// When the latest source below began to run.
    latest: u32,
    frontier: Option<SourceSet>,
}

/// A point from which a join can start: the end of a step, and what was known there.
#[derive(Clone, Copy, Debug)]
struct Point {
    step: StepId,
    head: Head,
    /// The number of the step as a source, once it is one.
    number: Option<u32>,
    /// The last join made from here: what the joining task knew before, and after.
    last: (Head, Head),
}

impl Point {
    const NOWHERE: Self = Self {
        step: NO_STEP,
        head: Head::NOTHING,
        number: None,
        last: (Head::NOTHING, Head::NOTHING),
    };
}

/// The graph of joins; see the module documentation.
#[derive(Clone, Debug)]
pub(super) struct JoinGraph {
    joins: Vec<Join>,
    /// The head of each task.
    heads: Vec<Head>,
    /// The head each task started with.
    inherited: Vec<Head>,
    /// What the tasks that ended in each scope knew.
    scopes: Vec<Head>,
    promises: Vec<Point>,
    tokens: Vec<Point>,
    locks: Vec<Point>,
    frontiers: Frontiers,
    /// How many nodes a search visits, at most [`MAX_BUDGET`].
    budget: u32,
    searches: u64,
    visited: u64,
}

impl JoinGraph {
    pub(super) fn new(budget: u32) -> Self {
        Self {
            joins: Vec::new(),
            heads: vec![Head::NOTHING],
            inherited: vec![Head::NOTHING],
            scopes: Vec::new(),
            promises: Vec::new(),
            tokens: Vec::new(),
            locks: Vec::new(),
            frontiers: Frontiers::default(),
            budget: budget.min(MAX_BUDGET),
            searches: 0,
            visited: 0,
        }
    }

    pub(super) fn fork(&mut self, parent: TaskId, child: TaskId) {
        debug_assert_eq!(child.index(), self.heads.len());
        let head = self.heads[parent.index()];
        self.heads.push(head);
        self.inherited.push(head);
    }

    /// The scope that joins the ended task learns what the task learnt itself. What it inherited
    /// the scope will learn from its ancestor.
    pub(super) fn end_task(&mut self, tree: &Tree, task: TaskId, scope: ScopeId) {
        let head = self.heads[task.index()];
        if head != self.inherited[task.index()] {
            if self.scopes.len() <= scope.index() {
                self.scopes.resize(scope.index() + 1, Head::NOTHING);
            }
            self.scopes[scope.index()] = self.merge(tree, self.scopes[scope.index()], head);
        }
    }

    /// Whether any task that ended in a scope had learnt anything. What the graph with the weak
    /// edges does not know, the strong one does not, either.
    pub(super) fn learnt_in(&self, scope: ScopeId) -> bool {
        self.scopes.get(scope.index()).is_some_and(|head| head.is_some())
    }

    /// The owner of a scope learns what the tasks in it knew; `now` is its step after the scope.
    pub(super) fn end_scope(&mut self, tree: &Tree, scope: ScopeId, owner: TaskId, now: StepId) {
        let Some(&learnt) = self.scopes.get(scope.index()) else {
            return;
        };
        let merged = self.merge(tree, self.heads[owner.index()], learnt);
        self.heads[owner.index()] = self.prune(tree, merged, now);
    }

    pub(super) fn set(&mut self, promise: PromiseId, ended: StepId, task: TaskId) {
        let point = self.point(ended, task);
        put(&mut self.promises, promise.index(), point);
    }

    pub(super) fn get(&mut self, tree: &Tree, promise: PromiseId, now: StepId, task: TaskId) {
        let mut point = self.promises[promise.index()];
        self.join(tree, &mut point, now, task);
        self.promises[promise.index()] = point;
    }

    pub(super) fn release(&mut self, lock: LockId, ended: StepId, task: TaskId) {
        let point = self.point(ended, task);
        put(&mut self.locks, lock.index(), point);
    }

    pub(super) fn acquire(&mut self, tree: &Tree, lock: LockId, now: StepId, task: TaskId) {
        if let Some(&point) = self.locks.get(lock.index()) {
            let mut point = point;
            self.join(tree, &mut point, now, task);
            self.locks[lock.index()] = point;
        }
    }

    pub(super) fn signal(&mut self, token: TokenId, ended: StepId, task: TaskId) {
        let point = self.point(ended, task);
        put(&mut self.tokens, token.index(), point);
    }

    pub(super) fn wait(&mut self, tree: &Tree, token: TokenId, now: StepId, task: TaskId) {
        let mut point = self.tokens[token.index()];
        self.join(tree, &mut point, now, task);
        self.tokens[token.index()] = point;
    }

    /// The end of a task's step, as a point from which joins can start.
    fn point(&self, ended: StepId, task: TaskId) -> Point {
        Point { step: ended, head: self.heads[task.index()], ..Point::NOWHERE }
    }

    /// The task, now in step `now`, learns of a source and all that was known there.
    fn join(&mut self, tree: &Tree, from: &mut Point, now: StepId, task: TaskId) {
        if from.step == NO_STEP {
            return;
        }
        let via = self.prune(tree, from.head, now);
        let older = self.heads[task.index()];
        if tree.precedes_or_is(from.step, now) {
            // The tree holds this order already; only what the source had learnt can be new.
            self.heads[task.index()] = self.merge(tree, older, via);
            return;
        }
        // Tasks that know the same and join the same share what they have learnt.
        let (before, after) = from.last;
        if !(after.is_some() && before == older && self.joins[after.0 as usize].via == via) {
            let number =
                *from.number.get_or_insert_with(|| self.frontiers.register(tree, from.step));
            from.last = (older, self.add(tree, Some((from.step, number)), older, via));
        }
        self.heads[task.index()] = from.last.1;
    }

    fn merge(&mut self, tree: &Tree, a: Head, b: Head) -> Head {
        if !b.is_some() || a == b {
            return a;
        }
        if !a.is_some() || self.joins[b.0 as usize].older == a {
            return b;
        }
        if self.joins[a.0 as usize].older == b {
            return a;
        }
        self.add(tree, None, a, b)
    }

    /// A node for a join from a source, given with its number, or for a mere merge.
    fn add(&mut self, tree: &Tree, from: Option<(StepId, u32)>, older: Head, via: Head) -> Head {
        let (source, number) = from.unwrap_or((NO_STEP, 0));
        let mut join = Join {
            source,
            number,
            older,
            via,
            last_english: source,
            last_hebrew: source,
            latest: if source == NO_STEP { 0 } else { tree.began(source) },
            frontier: None,
        };
        for below in [older, via] {
            if below.is_some() {
                let below = &self.joins[below.0 as usize];
                let is_later = |theirs, ours, label: fn(&Tree, StepId) -> u64| {
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
        self.joins.push(join);
        Head(u32::try_from(self.joins.len() - 1).expect("fewer than 2^32 joins"))
    }

    /// Forgets a head whose sources all come before `now` through the tree, so that a program that
    /// waits for its futures inside a finish keeps nothing of them after it.
    fn prune(&self, tree: &Tree, head: Head, now: StepId) -> Head {
        if head.is_some() {
            let join = &self.joins[head.0 as usize];
            if tree.english(join.last_english) <= tree.english(now)
                && tree.hebrew(join.last_hebrew) <= tree.hebrew(now)
            {
                return Head::NOTHING;
            }
        }
        head
    }

    /// Whether the task knows of any joins at all.
    #[inline]
    pub(super) fn any_for(&self, task: TaskId) -> bool {
        self.heads[task.index()].is_some()
    }

    /// Whether a step precedes, through joins, all that the task does from now on.
    pub(super) fn reaches(&mut self, tree: &Tree, earlier: StepId, task: TaskId) -> bool {
        let head = self.heads[task.index()];
        if !self.is_within_bounds(tree, earlier, head) {
            return false;
        }
        self.searches += 1;
        self.search(tree, earlier, head).unwrap_or_else(|| {
            let sources = self.frontier(head);
            self.frontiers.has_successor(tree, sources, earlier)
        })
    }

    /// As [`Self::reaches`], without the frontier: may miss an order that is far away.
    pub(super) fn reaches_plainly(&mut self, tree: &Tree, earlier: StepId, task: TaskId) -> bool {
        let head = self.heads[task.index()];
        self.search(tree, earlier, head).unwrap_or(false)
    }

    #[inline]
    fn is_within_bounds(&self, tree: &Tree, earlier: StepId, head: Head) -> bool {
        head.is_some() && {
            let join = &self.joins[head.0 as usize];
            tree.began(earlier) <= join.latest
                && tree.hebrew(earlier) <= tree.hebrew(join.last_hebrew)
                && tree.english(earlier) <= tree.english(join.last_english)
        }
    }

    /// Breadth-first, newest first. `None` when the budget is used up.
    ///
    /// The nodes still to be visited are a ring: the `older` chain of a head is one level of the
    /// search, so it goes on at the front, and what lies behind a source is the next level.
    fn search(&mut self, tree: &Tree, earlier: StepId, head: Head) -> Option<bool> {
        let mut levels = [Head::NOTHING; MAX_BUDGET as usize];
        let (mut read, mut write) = (0, 0);
        let mut next = head;
        for _ in 0..self.budget {
            while !self.is_within_bounds(tree, earlier, next) {
                if read == write {
                    return Some(false);
                }
                next = levels[read];
                read += 1;
            }
            self.visited += 1;
            let join = &self.joins[next.0 as usize];
            if join.source != NO_STEP && tree.precedes_or_is(earlier, join.source) {
                return Some(true);
            }
            levels[write] = join.via;
            write += 1;
            next = join.older;
        }
        None
    }

    /// All sources below a head. Builds what is missing from the bottom up, without recursion:
    /// chains of promises are as long as programs make them.
    #[cold]
    fn frontier(&mut self, head: Head) -> SourceSet {
        let mut stack = vec![head];
        while let Some(&top) = stack.last() {
            let Join { source, number, older, via, frontier, .. } = self.joins[top.0 as usize];
            if frontier.is_some() {
                stack.pop();
                continue;
            }
            let depth = stack.len();
            let [older, via] = [older, via].map(|below| {
                if !below.is_some() {
                    return SourceSet::EMPTY;
                }
                self.joins[below.0 as usize].frontier.unwrap_or_else(|| {
                    stack.push(below);
                    SourceSet::EMPTY
                })
            });
            if stack.len() == depth {
                let mut all = self.frontiers.union(older, via);
                if source != NO_STEP {
                    all = self.frontiers.insert(all, number);
                }
                self.joins[top.0 as usize].frontier = Some(all);
                stack.pop();
            }
        }
        self.joins[head.0 as usize].frontier.expect("just built")
    }

    pub(super) fn len(&self) -> usize {
        self.joins.len()
    }

    pub(super) fn searches(&self) -> u64 {
        self.searches
    }

    pub(super) fn visited(&self) -> u64 {
        self.visited
    }

    pub(super) fn frontier_nodes(&self) -> usize {
        self.frontiers.len()
    }
}

/// Writes into a vector that grows as needed.
fn put(table: &mut Vec<Point>, index: usize, point: Point) {
    if table.len() <= index {
        table.resize(index + 1, Point::NOWHERE);
    }
    table[index] = point;
}
