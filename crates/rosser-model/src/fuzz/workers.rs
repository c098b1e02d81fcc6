//! The engine for several workers held against the oracle: the same run, told as the runtime tells it.
//!
//! Everything is done by one thread, so a mistake shows every time, but the run is one by several workers
//! ([`super::team`]): each has the tasks that it took up, and what they do is interleaved at random.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, AtomicU64};

use rosser_core::oracle::Oracle;
use rosser_core::{
    Access, Class, Detail, Event, Item, LocId, PromiseId, SiteId, TaskId, TaskKind, TokenId, Trace,
};
use rosser_parallel::cell::{BLOCK, Block};
use rosser_parallel::history::Atomic;
use rosser_parallel::log::{CHUNK, Id, LogStorage};
use rosser_parallel::order::ListStorage;
use rosser_parallel::records::Slot;
use rosser_parallel::shared::{Shared, Storage};
use rosser_parallel::strands::{Strand, StrandStorage};
use rosser_parallel::worker::{Current, Ended, Scope, Start, Worker};
use rosser_shadow::history::Ordering;
use rosser_shadow::kind::Kind;
use rosser_shadow::storage::Exhausted;
use rustc_hash::{FxHashMap, FxHashSet};

use super::compare::Mismatch;
use super::layout::{Layout, kind};
use super::rng::Rng;
use super::saturate::saturate;
use super::script::{Script, Style, script};
use super::team::{TeamRun, run_on_team};
use crate::machine::Machine;
use crate::program::Program;

/// How many workers there are at most.
const WORKERS: usize = 4;

/// Runs a program on several workers, and compares what the engine finds with what the oracle has.
pub fn compare(program: &Program, rng: &mut Rng, max_steps: u64) -> Option<Mismatch> {
    let run = run_on_team(&mut Machine::new(program), rng, max_steps);
    let style = Style::random(rng);
    compare_run(&run, &run.trace, style, &[Layout::Words, Layout::Bytes], rng)
        .or_else(|| compare_run(&run, &saturate(&run.trace), style, &[Layout::Words], rng))
}

fn compare_run(
    run: &TeamRun,
    trace: &Trace,
    style: Style,
    layouts: &[Layout],
    rng: &mut Rng,
) -> Option<Mismatch> {
    let script = script(trace, style, rng);
    let mut oracle = Oracle::new(Detail::Pairs);
    script.trace.replay(&mut oracle);
    layouts.iter().find_map(|layout| {
        TEAM.with_borrow_mut(|team| {
            team.restart();
            let mut telling = Telling::new(team, &script, &run.worker_of, *layout);
            let what = match telling.tell() {
                Err(Exhausted) => Some("ran out of memory".to_owned()),
                Ok(wrong) => wrong.or_else(|| telling.judge(&oracle)),
            };
            if what.is_some() && std::env::var("DUMP").is_ok() { // DUMP
                let mut current = TaskId::MAIN;
                eprintln!("---- style {style:?} joins {:?} workers {:?}", script.joins, run.worker_of);
                for (i, item) in script.trace.items().iter().enumerate() {
                    if let Some(o) = script.reused.get(&i) { eprintln!("   forget {o:?}"); }
                    if let Item::Event(Event::Switch { to }) = item { current = *to; }
                    if let Item::Access(l, _, _) = item { eprintln!("{i} t{} w{:?} {item:?} {:?}", current.0, run.worker_of[current.index()], layout.place(script.original[l.index()])); }
                    else { eprintln!("{i} t{} w{:?} {item:?}", current.0, run.worker_of[current.index()]); }
                }
                for r in &telling.reported { eprintln!("   {r:?}"); }
                for c in oracle.conflicts() { eprintln!("   real {:?} {:?} {:?} {:?}", c.race.location, c.race.first.site, c.race.second.site, c.race.class()); }
                eprintln!("   {what:?}");
            } // DUMP
            let who = format!("the engine for {} workers ({layout:?})", run.workers);
            what.map(|what| Mismatch { who, what })
        })
    })
}

/// The workers, whose memory is never freed.
struct Team {
    shared: &'static Shared,
    workers: Vec<Worker>,
}

thread_local! {
    static TEAM: RefCell<Team> = RefCell::new(Team::new());
}

fn zeros<T: Default>(count: usize) -> &'static [T] {
    (0..count).map(|_| T::default()).collect::<Vec<_>>().leak()
}

impl Team {
    fn new() -> Self {
        const MANY: usize = 1 << 16;
        const IDS: usize = 1 << 18;
        let list = || ListStorage { links: zeros(MANY), groups: zeros(MANY) };
        let storage = Storage {
            log: LogStorage {
                words: zeros::<AtomicU64>(IDS),
                times: zeros::<AtomicU32>(IDS),
                owners: zeros(IDS / CHUNK as usize),
            },
            strands: StrandStorage {
                english: list(),
                hebrew: list(),
                tasks: zeros::<AtomicU32>(MANY),
            },
            tasks: zeros(MANY),
            futures: zeros::<AtomicU64>(MANY),
            sets: zeros::<AtomicU64>(MANY),
            records: zeros::<Slot>(MANY),
            knowledge: zeros(MANY),
            bounds: zeros::<AtomicU32>(MANY),
        };
        let shared: &'static Shared = Box::leak(Box::new(Shared::new(storage, WORKERS, true)));
        let workers = (0..WORKERS as u32).map(|number| Worker::new(shared, number)).collect();
        Self { shared, workers }
    }

    fn restart(&mut self) {
        self.shared.begin_anew();
        self.workers.iter_mut().for_each(Worker::enter_region);
    }
}

/// Cells, whose addresses do not change while there are more.
#[derive(Default)]
struct Cells(Vec<Box<Block>>);

impl Cells {
    fn block(&mut self, index: usize) -> &Block {
        let block = index / BLOCK;
        self.0.resize_with(self.0.len().max(block + 1), Box::default);
        &self.0[block]
    }
}

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

/// A reported conflict.
#[derive(Debug)]
struct Reported {
    location: LocId,
    first: SiteId,
    second: SiteId,
    class: Class,
    /// Whether the first place is exact.
    is_exact: bool,
}

const RELAXED: Ordering = Ordering { acquires: false, releases: false };
const ACQUIRE: Ordering = Ordering { acquires: true, releases: false };
const RELEASE: Ordering = Ordering { acquires: false, releases: true };

/// The words of locks and of tokens are apart from those of locations.
const LOCKS: usize = 1 << 16;
const TOKENS: usize = 2 << 16;

struct Telling<'a> {
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
}

impl<'a> Telling<'a> {
    fn new(
        team: &'a mut Team,
        script: &'a Script,
        worker_of: &'a [Option<usize>],
        layout: Layout,
    ) -> Self {
        let crowded = crowded(team);
        let is_atomic = |item: &Item| matches!(item, Item::Access(_, access, _) if access.is_atomic());
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
        }
    }

    /// Tells everything. Returns what is wrong already.
    fn tell(&mut self) -> Result<Option<String>, Exhausted> {
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
                    return Ok(Some(format!("lets {:?} get {future:?}", self.current)));
                }
            }
            match *item {
                Item::Event(Event::Get { promise }) => {
                    if let Some(wrong) = self.get(promise)? {
                        return Ok(Some(wrong));
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
        Ok(None)
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
        if self.has_atomics || self.script.style.dice_of(token.index()) % 2 == 0 {
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
                    class,
                    is_exact: !conflict.first.inexact,
                });
            }
        }
        Ok(())
    }

    /// Every racy location is found with its class, and every reported conflict is one, of that class.
    fn judge(&self, oracle: &Oracle) -> Option<String> {
        let expected = oracle.worst_where(|_| true);
        let mut pairs: FxHashMap<_, FxHashSet<Class>> = FxHashMap::default();
        for conflict in oracle.conflicts() {
            let race = conflict.race;
            let key = (race.location, race.first.site, race.second.site);
            pairs.entry(key).or_default().insert(race.class());
        }
        let mut found: FxHashMap<LocId, Class> = FxHashMap::default();
        for reported in &self.reported {
            let Reported { location, first, second, class, is_exact } = *reported;
            let is_real = match pairs.get(&(location, first, second)) {
                Some(classes) => !is_exact || classes.contains(&class),
                None => !is_exact,
            };
            match expected.get(&location) {
                None => return Some(format!("reported a race that does not exist: {reported:?}")),
                Some(worst) if class > *worst => {
                    return Some(format!("called {reported:?} worse than it is"));
                }
                Some(_) if !is_real => {
                    let classes = pairs.get(&(location, first, second));
                    return Some(format!("reported {reported:?}, but there is {classes:?}"));
                }
                Some(_) => {}
            }
            found.entry(location).and_modify(|worst| *worst = class.max(*worst)).or_insert(class);
        }
        let is_crowded = crowded(self.team) > self.crowded;
        for (location, class) in &expected {
            match found.get(location) {
                None => return Some(format!("missed the {} at {location:?}", class.name())),
                Some(other) if other != class && !is_crowded && !self.may_be_mild(*location, oracle) => {
                    let (class, other) = (class.name(), other.name());
                    return Some(format!("called the {class} at {location:?} {other}"));
                }
                Some(_) => {}
            }
        }
        None
    }
}

impl Telling<'_> {
    /// Whether the class at a location may be milder than it is. Of many parallel accesses of one kind the engine
    /// keeps some that stand for the others, and these may be in weak order where the others are not: of plain
    /// reads it keeps two, of others [`KEPT`].
    fn may_be_mild(&self, location: LocId, oracle: &Oracle) -> bool {
        let races = oracle.conflicts().iter().map(|conflict| conflict.race);
        let mut races = races.filter(|race| {
            (race.location, race.class()) == (location, Class::DataRace)
        });
        races.all(|race| {
            let is_alike = |item: &&Item| matches!(**item, Item::Access(at, access, _) if (at, access) == (location, race.first.access));
            let alike = self.script.trace.items().iter().filter(is_alike).count();
            alike > if race.first.access == Access::Read { 2 } else { KEPT }
        })
    }
}

/// How many accesses of one kind are kept whatever they are to each other.
const KEPT: usize = 6;

/// How often the workers have left an access out.
fn crowded(team: &Team) -> u64 {
    team.workers.iter().map(|worker| worker.counts.crowded).sum()
}
