//! Tells the engine of a script, each task by its worker.

use rosser_detect::kind::Kind;
use rosser_detect::kind::Ordering;
use rosser_detect::sf_order::history::Atomic;
use rosser_detect::sf_order::log::Id;
use rosser_detect::sf_order::strands::Strand;
use rosser_detect::sf_order::worker::{Current, Ended, Scope, Start, Worker};
use rosser_detect::storage::Exhausted;
use rosser_detect::{
    Access, Class, Event, Item, LocId, PromiseId, SiteId, TaskId, TaskKind, TokenId,
};
use rustc_hash::FxHashMap;

use super::engine::{Cells, Team, WORKERS};
use super::judge::{Heard, Reported, WorkerStep};
use super::script::Script;
use crate::fuzz::layout::{Layout, kind};

/// A task.
#[derive(Default)]
struct Task {
    start: Option<Start>,
    /// What its worker goes on with afterwards, once the task has begun.
    outer: Option<Current>,
    ended: Option<Ended>,
    /// The scope that joins it; nothing if none does.
    joined_by: Option<usize>,
    open: Vec<usize>,
    /// Whether its worker waits for it right below it on the stack.
    is_run_here: bool,
    region: u32,
}

/// What a scope is to the engine.
enum Opened {
    Scope(Scope),
    /// Of two tasks, with the starts that are left.
    Join(Strand, Vec<Start>),
}

struct ScopeState {
    owner: TaskId,
    opened: Opened,
    /// The tasks that it joins.
    tasks: Vec<TaskId>,
}

const RELAXED: Ordering = Ordering { acquires: false, releases: false };
const ACQUIRE: Ordering = Ordering { acquires: true, releases: false };
const RELEASE: Ordering = Ordering { acquires: false, releases: true };

/// The words of locks and of tokens are apart from those of locations.
const LOCKS: usize = 1 << 16;
const TOKENS: usize = 2 << 16;

/// Tells of one run.
pub struct Telling<'a> {
    team: &'a mut Team,
    script: &'a Script,
    worker_of: &'a [Option<usize>],
    layout: Layout,
    cells: Cells,
    others: [Cells; 2],
    /// What is in each word.
    values: FxHashMap<usize, u64>,
    next_value: u64,
    /// What each original location is called now.
    names: FxHashMap<LocId, LocId>,
    /// Ids of the last accesses at a site, by worker.
    ids: FxHashMap<(usize, SiteId), Id>,
    current: TaskId,
    tasks: Vec<Task>,
    /// By worker: the tasks that it is in, the one that runs last.
    stacks: [Vec<TaskId>; WORKERS],
    scopes: Vec<ScopeState>,
    has_detached: bool,
    /// Whether variables are accessed by atomic operations.
    has_atomics: bool,
    region: u32,
    crowded: u64,
    reported: Vec<Reported>,
    /// By item: the worker of an access and its step.
    steps: Vec<WorkerStep>,
}

impl<'a> Telling<'a> {
    /// Nothing is told yet.
    pub fn new(
        team: &'a mut Team,
        script: &'a Script,
        worker_of: &'a [Option<usize>],
        layout: Layout,
    ) -> Self {
        let crowded = team.crowded();
        let is_atomic =
            |item: &Item| matches!(item, Item::Access(_, access, _) if access.is_atomic());
        let has_atomics = script.trace.items().iter().any(is_atomic);
        Self {
            team,
            script,
            worker_of,
            layout,
            cells: Cells::default(),
            others: [Cells::default(), Cells::default()],
            values: FxHashMap::default(),
            next_value: 0,
            names: FxHashMap::default(),
            ids: FxHashMap::default(),
            current: TaskId::MAIN,
            tasks: vec![Task::default()],
            stacks: [vec![TaskId::MAIN], Vec::new(), Vec::new(), Vec::new()],
            scopes: Vec::new(),
            has_detached: false,
            has_atomics,
            region: 0,
            crowded,
            reported: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// Tells everything. Returns what was heard, or what is wrong already.
    pub fn tell(mut self) -> Result<Result<Heard, String>, Exhausted> {
        let script = self.script;
        if script.style.is_wrapped {
            self.open_scope(false)?;
        } else {
            // So that scopes have the numbers of the script.
            let scope = Opened::Join(0, Vec::new());
            self.scopes.push(ScopeState { owner: TaskId::MAIN, opened: scope, tasks: Vec::new() });
        }
        self.tasks[0].open.clear();
        let mut refused = script.refused.iter().peekable();
        for (index, item) in script.trace.items().iter().enumerate() {
            while let Some((_, future)) = refused.next_if(|(at, _)| *at == index) {
                if self.may_get(*future) == Some(true) {
                    return Ok(Err(format!("lets {:?} get {future:?}", self.current)));
                }
            }
            let number = self.number();
            self.steps.push((number, self.team.workers[number].step()));
            match *item {
                Item::Event(Event::Get { promise }) => {
                    if let Some(wrong) = self.get(promise)? {
                        return Ok(Err(wrong));
                    }
                }
                Item::Event(event) => self.event(event)?,
                Item::Access(location, access, site) => {
                    if let Some(original) = script.reused.get(&index) {
                        self.forget(*original)?;
                    }
                    self.names.insert(script.original[location.index()], location);
                    self.access(location, access, site)?;
                }
            }
        }
        let is_crowded = self.team.crowded() > self.crowded;
        let Self { reported, steps, .. } = self;
        Ok(Ok(Heard { reported, steps, is_crowded }))
    }

    fn worker(&mut self) -> &mut Worker {
        let number = self.number();
        &mut self.team.workers[number]
    }

    /// The number of the worker that runs the current task.
    fn number(&self) -> usize {
        self.worker_of[self.current.index()].expect("it was taken up")
    }

    fn task(&mut self) -> &mut Task {
        &mut self.tasks[self.current.index()]
    }

    fn event(&mut self, event: Event) -> Result<(), Exhausted> {
        match event {
            Event::Fork { child, kind } => self.fork(child, kind),
            Event::Switch { to } => self.switch(to),
            Event::End => self.end(),
            Event::ScopeBegin { .. } => {
                let is_join = self.script.joins.contains(&self.scopes.len());
                self.open_scope(is_join)
            }
            Event::ScopeEnd { .. } => self.end_scope(),
            Event::Acquire { lock } if lock.0 == 0 => self.worker().isolated_begin(1),
            Event::Release { lock } if lock.0 == 0 => self.worker().isolated_end(1),
            Event::Acquire { lock } => self.order(LOCKS, lock.index(), Kind::Swap, ACQUIRE),
            Event::Release { lock } => {
                let kind = if lock.0 == 1 { Kind::Store } else { Kind::Swap };
                self.order(LOCKS, lock.index(), kind, RELEASE)
            }
            Event::Signal { token } => self.signal(token, false),
            Event::Await { token } => self.signal(token, true),
            Event::Set { .. } | Event::Get { .. } | Event::Block => Ok(()),
        }
    }

    fn open_scope(&mut self, is_join: bool) -> Result<(), Exhausted> {
        let number = self.scopes.len();
        let id = number as u64 + 1;
        let opened = if is_join {
            let (starts, next) = self.worker().fork_two(id, [0, 0], 1)?;
            Opened::Join(next, starts.into_iter().rev().collect())
        } else {
            Opened::Scope(self.worker().scope_begin(id)?)
        };
        self.scopes.push(ScopeState { owner: self.current, opened, tasks: Vec::new() });
        self.task().open.push(number);
        Ok(())
    }

    fn end_scope(&mut self) -> Result<(), Exhausted> {
        let number = self.task().open.pop().expect("scopes nest");
        let worker = self.number();
        let Self { team, scopes, tasks, .. } = self;
        let worker = &mut team.workers[worker];
        match &scopes[number].opened {
            Opened::Scope(scope) => worker.scope_end(scope)?,
            Opened::Join(next, _) => {
                let ended = |index: usize| {
                    let task = scopes[number].tasks[index];
                    tasks[task.index()].ended.expect("a join waits for it")
                };
                worker.join_two(*next, [ended(0), ended(1)])?;
            }
        }
        let is_outermost = self.current == TaskId::MAIN && self.task().open.is_empty();
        if is_outermost && !self.script.style.is_wrapped && !self.has_detached {
            self.end_region();
        }
        Ok(())
    }

    /// Nothing is parallel any more.
    fn end_region(&mut self) {
        self.region += 1;
        if self.team.shared.end_region().begins_anew {
            self.cells = Cells::default();
            self.others = Default::default();
        }
        self.team.workers[0].enter_region();
    }

    fn fork(&mut self, child: TaskId, kind: TaskKind) -> Result<(), Exhausted> {
        let outermost = self.script.style.is_wrapped.then_some(0);
        let task = &self.tasks[self.current.index()];
        let around = if self.current == TaskId::MAIN { outermost } else { task.joined_by };
        let joined_by = task.open.last().copied().or(around);
        self.has_detached |= joined_by.is_none();
        let scope = joined_by.map(|scope| scope as u64 + 1);
        let known = joined_by.and_then(|scope| match &mut self.scopes[scope].opened {
            Opened::Join(_, starts) => starts.pop(),
            Opened::Scope(_) => None,
        });
        let start = match (known, kind) {
            (Some(start), _) => start,
            (None, TaskKind::Future) => self.worker().spawn_future(0, 1)?,
            (None, _) => self.worker().spawn(scope, 0, 1)?,
        };
        if let Some(scope) = joined_by {
            self.scopes[scope].tasks.push(child);
        }
        let region = self.region;
        self.tasks.push(Task { start: Some(start), joined_by, region, ..Task::default() });
        Ok(())
    }

    fn switch(&mut self, to: TaskId) -> Result<(), Exhausted> {
        self.current = to;
        let Task { start: Some(start), outer: None, joined_by, .. } = self.tasks[to.index()] else {
            return Ok(());
        };
        let number = self.number();
        let is_run_here = joined_by.is_some_and(|scope| {
            let ScopeState { owner, opened, .. } = &self.scopes[scope];
            matches!(opened, Opened::Join(..)) && self.stacks[number].last() == Some(owner)
        });
        self.stacks[number].push(to);
        let worker = &mut self.team.workers[number];
        if !worker.is_up_to_date() {
            worker.enter_region();
        }
        let outer = worker.begin(&start)?;
        if !is_run_here {
            worker.begin_run();
        }
        let task = self.task();
        (task.outer, task.is_run_here) = (Some(outer), is_run_here);
        Ok(())
    }

    fn end(&mut self) -> Result<(), Exhausted> {
        if self.current == TaskId::MAIN {
            return Ok(());
        }
        let Task { start, outer, joined_by, is_run_here, .. } = *self.task();
        let worker = self.worker();
        let ended = worker.end(outer.expect("it has begun"))?;
        if !is_run_here {
            worker.begin_run();
        }
        self.task().ended = Some(ended);
        let number = self.number();
        self.stacks[number].pop();
        if let Some(scope) = joined_by
            && let Opened::Scope(scope) = &self.scopes[scope].opened
        {
            let start = start.expect("it was started");
            self.team.workers[number].absorb(scope, &start, ended)?;
        }
        Ok(())
    }

    /// Whether the current task may get a future; nothing if that is of another region.
    fn may_get(&mut self, future: TaskId) -> Option<bool> {
        let Task { start, region, .. } = self.tasks[future.index()];
        let start = start.expect("it was started");
        (region == self.region).then(|| self.worker().may_get(&start))
    }

    fn get(&mut self, promise: PromiseId) -> Result<Option<String>, Exhausted> {
        let future = self.script.futures[&promise];
        match self.may_get(future) {
            None => Ok(None),
            Some(false) => Ok(Some(format!("does not let {:?} get {future:?}", self.current))),
            Some(true) => {
                let Task { start, ended, .. } = self.tasks[future.index()];
                let (start, ended) = (start.expect("started"), ended.expect("ended"));
                self.worker().get(&start, ended)?;
                Ok(None)
            }
        }
    }

    fn signal(&mut self, token: TokenId, acquires: bool) -> Result<(), Exhausted> {
        let (kind, ordering) =
            if acquires { (Kind::Load, ACQUIRE) } else { (Kind::Store, RELEASE) };
        if self.has_atomics || self.script.style.dice_of(token.index()) < 32 {
            return self.order(TOKENS, token.index(), kind, ordering);
        }
        // The same by a fence, which would go for atomic accesses to variables as well.
        if acquires {
            self.order(TOKENS, token.index(), kind, RELAXED)?;
            self.worker().fence(1, ordering)
        } else {
            self.worker().fence(1, ordering)?;
            self.order(TOKENS, token.index(), kind, RELAXED)
        }
    }

    /// An atomic operation on a word that is none of the program's variables.
    fn order(
        &mut self,
        area: usize,
        index: usize,
        kind: Kind,
        ordering: Ordering,
    ) -> Result<(), Exhausted> {
        let (old, new) = self.change(area + index, kind, 0xff);
        let number = self.number();
        let worker = &mut self.team.workers[number];
        let id = worker.id_of(1)?;
        let block = self.others[usize::from(area == LOCKS)].block(index);
        let atomic = Atomic { kind, ordering, old, new };
        worker.atomic(&mut block.lock(), index, &atomic, 0xff, id, 1)?;
        while worker.take_conflict().is_some() {}
        Ok(())
    }

    /// What was in a word before an access to some of its bytes, and what is there then.
    fn change(&mut self, word: usize, kind: Kind, bytes: u8) -> (u64, u64) {
        let bits = (0..8).filter(|byte| bytes >> byte & 1 != 0);
        let mask: u64 = bits.map(|byte| 0xff << (8 * byte)).sum();
        self.next_value += u64::from(kind.writes());
        let new = self.next_value.wrapping_mul(0x0101_0101_0101_0101);
        let value = self.values.entry(word).or_default();
        let old = *value;
        if kind.writes() {
            *value = old & !mask | new & mask;
        }
        (old & mask, *value & mask)
    }

    fn forget(&mut self, original: LocId) -> Result<(), Exhausted> {
        let (word, bytes) = self.layout.place(original);
        let number = self.number();
        let worker = &mut self.team.workers[number];
        let locked = &mut self.cells.block(word).lock();
        if bytes == 0xff {
            worker.forget(locked, word);
            return Ok(());
        }
        worker.forget_bytes(locked, word, bytes)
    }

    /// The id of what the current task does at a site.
    fn id_of(&mut self, site: SiteId) -> Result<Id, Exhausted> {
        let number = self.number();
        let worker = &mut self.team.workers[number];
        let known = self.ids.get(&(number, site)).copied();
        if let Some(id) = known.filter(|id| worker.is_own(*id)) {
            return Ok(id);
        }
        let id = worker.id_of(site.0 + 2)?;
        self.ids.insert((number, site), id);
        Ok(id)
    }

    fn access(&mut self, location: LocId, access: Access, site: SiteId) -> Result<(), Exhausted> {
        let (word, bytes) = self.layout.place(self.script.original[location.index()]);
        let number = self.number();
        let is_free = access == Access::Write && self.script.style.frees(site);
        let kind = if is_free { Kind::Free } else { kind(access) };
        let (old, new) = self.change(word, kind, bytes);
        let own = self.team.workers[number].own();
        let is_known = match kind {
            Kind::Read => {
                let cell = self.cells.block(word).cell(word);
                let worker = &mut self.team.workers[number];
                cell.was_accessed(own, bytes) || worker.is_stood_in_for(cell, bytes)
            }
            Kind::Write => self.cells.block(word).cell(word).was_written(own, bytes),
            Kind::Load => {
                let cell = self.cells.block(word).cell(word);
                let loaded = self.team.workers[number].loaded(cell, bytes, || new);
                match loaded {
                    Some(id) => self.id_of(site)? == id,
                    None => false,
                }
            }
            _ => false,
        };
        if is_known {
            return Ok(());
        }
        let id = self.id_of(site)?;
        let worker = &mut self.team.workers[number];
        let locked = &mut self.cells.block(word).lock();
        match kind {
            Kind::Read => worker.read(locked, word, bytes, id)?,
            Kind::Write | Kind::Free => worker.write(locked, word, kind, bytes, id)?,
            _ => {
                let atomic = Atomic { kind, ordering: RELAXED, old, new };
                worker.atomic(locked, word, &atomic, bytes, id, site.0 + 2)?;
            }
        }
        while let Some(conflict) = self.team.workers[number].take_conflict() {
            let is_data_race = conflict.hop.is_none()
                && !(conflict.first.kind.is_atomic() && conflict.kind.is_atomic());
            let class = if is_data_race { Class::DataRace } else { Class::OrderDependent };
            let (first, _) = self.team.shared.place_of(conflict.first.id);
            for original in self.layout.locations(word, conflict.bytes) {
                self.reported.push(Reported {
                    location: self.names.get(&original).copied().unwrap_or(original),
                    first: SiteId(first.wrapping_sub(2)),
                    second: site,
                    item: self.steps.len() - 1,
                    class,
                    is_exact: !conflict.first.inexact,
                });
            }
        }
        Ok(())
    }
}
