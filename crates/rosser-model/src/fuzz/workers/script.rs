//! What several workers are told of a run: a trace that the engine for them admits, with more kinds of
//! accesses than the model language has.
//!
//! Leaving out a get, or an access, or making an access another one gives a run of another program, so
//! nothing has to be skipped: promises vanish, and of the gets of a future those that SF-Order does not
//! admit.

use rosser_detect::oracle::Oracle;
use rosser_detect::{
    Access, Detail, Detector, Event, Item, LocId, LockId, Operator, PromiseId, ScopeKind, SiteId,
    TaskId, TaskKind, Trace,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::fuzz::rng::Rng;
use crate::fuzz::structured::Futures;

/// What the accesses and events of a trace become.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Decides what depends on the place of an access.
    seed: u64,
    /// The accesses at so many of eight places are atomic, or free memory.
    changed: usize,
    /// Locks that isolated sections are distributed to.
    locks: usize,
    /// A word is given up and used anew before an access in one of so many cases; 0 for never.
    reuse: usize,
    /// What a task does between starting two that it then waits for is left out in so many of four cases.
    joined: usize,
    /// What all accesses to one location become, but for those at one of twelve places: many that are alike.
    focus: Option<Access>,
    /// Whether there is a scope around everything.
    pub is_wrapped: bool,
}

impl Style {
    /// A style at random.
    pub fn random(rng: &mut Rng) -> Self {
        Self {
            seed: rng.bits(),
            changed: *rng.pick(&[0, 0, 2, 4, 8]),
            locks: 1 + rng.below(3),
            reuse: *rng.pick(&[0, 0, 0, 6, 20]),
            joined: rng.below(5),
            focus: *rng.pick(&[
                None,
                None,
                None,
                None,
                None,
                Some(Access::Update(Operator::Add)),
                Some(Access::AtomicRead),
                Some(Access::Read),
            ]),
            is_wrapped: rng.chance(1, 2),
        }
    }

    fn dice(self, site: SiteId) -> Rng {
        Rng::new(self.seed, u64::from(site.0))
    }

    fn access(self, access: Access, site: SiteId) -> Access {
        let mut dice = self.dice(site);
        if let Some(focus) = self.focus
            && !dice.chance(1, 12)
        {
            return focus;
        }
        if !dice.chance(self.changed, 8) {
            return access;
        }
        match access {
            Access::Read => Access::AtomicRead,
            Access::Write => *dice.pick(&[
                Access::AtomicWrite,
                Access::Update(Operator::Sub),
                Access::Update(Operator::Add),
                Access::Update(Operator::Max),
            ]),
            other => other,
        }
    }

    /// Whether a plain write is the end of a heap block.
    pub fn frees(self, site: SiteId) -> bool {
        self.changed > 0 && self.dice(site).chance(1, 5)
    }

    /// A number for the style to decide something by.
    pub fn dice_of(self, number: usize) -> usize {
        Rng::new(self.seed, number as u64).below(64)
    }
}

/// A trace for several workers.
#[derive(Debug)]
pub struct Script {
    /// What happens. A location that is used anew has a new name.
    pub trace: Trace,
    /// The location of the original trace that each location stands for.
    pub original: Vec<LocId>,
    /// Locations of the original trace that are given up before an item.
    pub reused: FxHashMap<usize, LocId>,
    /// The scopes, by number, in which a task does nothing but start two.
    pub joins: FxHashSet<usize>,
    /// The task that sets each promise that is left.
    pub futures: FxHashMap<PromiseId, TaskId>,
    /// Gets that are not admitted, by the item that they stood before.
    pub refused: Vec<(usize, TaskId)>,
    /// How things are told.
    pub style: Style,
}

/// Makes a script of a trace.
pub fn script(trace: &Trace, style: Style, rng: &mut Rng) -> Script {
    let (joins, quiet) = joins(trace, style);
    let mut writer = Writer {
        oracle: Oracle::new(Detail::Locations),
        script: Script {
            trace: Trace::new(),
            original: Vec::new(),
            reused: FxHashMap::default(),
            joins,
            futures: FxHashMap::default(),
            refused: Vec::new(),
            style,
        },
        names: FxHashMap::default(),
        current: TaskId::MAIN,
        futures: Futures::default(),
        lock: FxHashMap::default(),
    };
    let items = trace.items();
    for (index, item) in items.iter().enumerate() {
        match *item {
            Item::Event(event) => {
                let ends = matches!(items.get(index + 1), Some(Item::Event(Event::End)));
                writer.event(event, ends, rng);
            }
            Item::Access(..) if quiet.contains(&index) => {}
            Item::Access(location, access, site) => writer.access(location, access, site, rng),
        }
    }
    writer.script
}

struct Writer {
    /// Hears of events only.
    oracle: Oracle,
    script: Script,
    /// What each original location is called now.
    names: FxHashMap<LocId, LocId>,
    current: TaskId,
    futures: Futures,
    /// The lock that stands for the isolated section of a task.
    lock: FxHashMap<TaskId, LockId>,
}

impl Writer {
    fn write(&mut self, event: Event) {
        self.oracle.event(event);
        self.script.trace.event(event);
    }

    /// `ends` says that the current task ends right after the event.
    fn event(&mut self, event: Event, ends: bool, rng: &mut Rng) {
        match event {
            Event::Fork { child, kind } => {
                self.write(event);
                if kind == TaskKind::Future {
                    self.futures.create(child, &self.oracle);
                }
            }
            Event::Switch { to } => {
                self.current = to;
                self.write(event);
            }
            Event::Set { promise } if ends && self.futures.has(self.current) => {
                self.script.futures.insert(promise, self.current);
                self.write(event);
            }
            Event::Set { .. } => {}
            Event::Get { promise } => {
                let Some(future) = self.script.futures.get(&promise).copied() else { return };
                if !self.futures.follows_creation(future, &self.oracle) {
                    let at = self.script.trace.items().len();
                    self.script.refused.push((at, future));
                } else if self.futures.get(future) {
                    self.write(event);
                }
            }
            Event::Acquire { .. } => {
                let lock = LockId::from_index(rng.below(self.script.style.locks));
                self.lock.insert(self.current, lock);
                self.write(Event::Acquire { lock });
            }
            Event::Release { .. } => {
                let lock = self.lock[&self.current];
                self.write(Event::Release { lock });
            }
            _ => self.write(event),
        }
    }

    fn access(&mut self, location: LocId, access: Access, site: SiteId, rng: &mut Rng) {
        // In focus are two locations, which may share a word.
        let is_focused = self.script.style.focus.is_some();
        let location = if is_focused { LocId(u32::from(location.0 % 4 == 3)) } else { location };
        let Script { trace, original, reused, style, .. } = &mut self.script;
        let is_reused =
            style.reuse > 0 && self.names.contains_key(&location) && rng.chance(1, style.reuse);
        if is_reused {
            reused.insert(trace.items().len(), location);
        }
        if is_reused || !self.names.contains_key(&location) {
            self.names.insert(location, LocId::from_index(original.len()));
            original.push(location);
        }
        trace.access(self.names[&location], style.access(access, site), site);
    }
}

/// A scope, as far as it matters whether it is a join of two tasks.
struct Scope {
    owner: TaskId,
    started: usize,
    /// Nothing but starting tasks was done by the owner, or what was done can be left out.
    is_plain: bool,
    is_spawned: bool,
    ended: bool,
    /// What the owner accessed meanwhile.
    accesses: Vec<usize>,
}

/// The scopes that are joins of two tasks, once some accesses are left out, and those.
fn joins(trace: &Trace, style: Style) -> (FxHashSet<usize>, FxHashSet<usize>) {
    let new = |owner, is_spawned| Scope {
        owner,
        started: 0,
        is_plain: true,
        is_spawned,
        ended: false,
        accesses: Vec::new(),
    };
    let mut scopes = vec![new(TaskId::MAIN, false)];
    let mut tasks = vec![(0, Vec::new())];
    let mut current = TaskId::MAIN;
    for (index, item) in trace.items().iter().enumerate() {
        let (joined_by, open): &mut (usize, Vec<usize>) = &mut tasks[current.index()];
        let innermost = open.last().copied();
        match *item {
            Item::Event(Event::Switch { to }) => current = to,
            Item::Event(Event::Block) => {}
            Item::Event(Event::Fork { kind, .. }) => {
                let scope = innermost.unwrap_or(*joined_by);
                tasks.push((scope, Vec::new()));
                let scope = &mut scopes[scope];
                scope.started += 1;
                scope.is_plain &= kind != TaskKind::Future && scope.owner == current;
            }
            Item::Event(Event::ScopeBegin { kind }) => {
                if let Some(outer) = innermost {
                    scopes[outer].is_plain = false;
                }
                open.push(scopes.len());
                scopes.push(new(current, kind == ScopeKind::SyncBlock));
            }
            Item::Event(Event::ScopeEnd { .. }) => {
                let scope = open.pop().expect("scopes nest");
                scopes[scope].ended = true;
            }
            Item::Event(_) => {
                if let Some(scope) = innermost {
                    scopes[scope].is_plain = false;
                }
            }
            Item::Access(..) => {
                if let Some(scope) = innermost {
                    scopes[scope].accesses.push(index);
                }
            }
        }
    }
    let (mut joins, mut quiet) = (FxHashSet::default(), FxHashSet::default());
    for (number, scope) in scopes.iter().enumerate() {
        let is_join = scope.is_plain && scope.is_spawned && scope.started == 2 && scope.ended;
        let is_quiet = scope.accesses.is_empty() || style.dice_of(number) % 4 < style.joined;
        if is_join && is_quiet {
            joins.insert(number);
            quiet.extend(&scope.accesses);
        }
    }
    (joins, quiet)
}
