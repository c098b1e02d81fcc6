//! Random runs, in any order of tasks, held against the graph of all their steps.
//!
//! The model language's fuzzer does the same for programs of its own. Here tasks also join scopes
//! further out than the innermost, or none, which that language cannot say.
//!
//! Every location with a conflict has to be reported, and no other. Where there was no data race, so has
//! every access that is in conflict with an earlier one: memory is used for other data now and then, and
//! nobody knows when, so what was found at a location must not hide what is found there later.

use rosser_detect::kind::Ordering;
use rosser_detect::kind::{Kind, Relation};
use rosser_detect::serial::cell::{Cell, MANY, RECORD};
use rosser_detect::serial::engine::Engine;
use rosser_detect::serial::memory::Storage;
use rosser_detect::serial::switching::SetPoint;

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// A vertex of the graph: all that precede it.
type Before = Vec<bool>;

#[derive(Clone)]
struct Task {
    number: u32,
    vertex: usize,
    joined_by: usize,
    /// Its scopes, and those around it.
    scopes: Vec<usize>,
    own: usize,
}

#[derive(Default)]
struct Scope {
    number: u32,
    running: usize,
    ends: Vec<usize>,
    /// What joins its tasks instead, if its owner has ended without ending it.
    heir: Option<usize>,
}

/// An access to the same bytes of some words.
#[derive(Clone, Copy)]
struct Access {
    vertex: usize,
    first: usize,
    end: usize,
    bytes: u8,
    kind: Kind,
}

impl Access {
    fn is_to(&self, location: usize) -> bool {
        (self.first..self.end).contains(&location)
    }
}

/// How words with a list of readers came about and ended.
#[derive(Clone, Copy, Default, Debug)]
struct Lists {
    made: usize,
    written: usize,
    given_up: usize,
    swept: usize,
}

struct Run<'a> {
    engine: &'a mut Engine,
    random: Random,
    graph: Vec<Before>,
    tasks: Vec<Task>,
    current: usize,
    scopes: Vec<Scope>,
    promises: Vec<(SetPoint, usize)>,
    cells: Vec<Cell>,
    accesses: Vec<Access>,
    /// The bytes that a conflict was reported of.
    reported: Vec<u8>,
    /// The bytes at which there was a data race. Accesses may have been dropped that were part of it.
    raced: Vec<u8>,
    /// Whether tasks read, and sometimes write, several words at once or parts of them.
    in_tiles: bool,
    /// One access in so many is of another kind than a read.
    rarely: usize,
    lists: Lists,
    /// Whether tasks may join scopes further out.
    may_escape: bool,
    /// Whether tasks may end without ending their scopes.
    may_abandon: bool,
    regions: usize,
    /// For so many acts execution is depth-first.
    calm: usize,
}

const LOCATIONS: usize = 6;
const SCOPE_OF_ALL: usize = 0;

impl Run<'_> {
    /// A vertex after the given ones becomes the current task's.
    fn step(&mut self, after: &[usize]) {
        let mut before = vec![false; self.graph.len() + 1];
        let own = self.tasks[self.current].vertex;
        for &earlier in after.iter().chain([&own]) {
            before[earlier] = true;
            for (index, is_before) in self.graph[earlier].iter().enumerate() {
                before[index] |= is_before;
            }
        }
        self.tasks[self.current].vertex = self.graph.len();
        self.graph.push(before);
    }

    fn is_before(&self, earlier: usize, later: usize) -> bool {
        earlier == later || self.graph[later].get(earlier).copied().unwrap_or(false)
    }

    fn switch(&mut self, to: usize) {
        self.current = to;
        self.engine.task_switch(self.tasks[to].number).unwrap();
    }

    fn fork(&mut self) {
        let scopes = self.tasks[self.current].scopes.clone();
        let depth = if self.may_escape && self.random.chance(30) {
            self.random.below(scopes.len())
        } else {
            scopes.len() - 1
        };
        let joined_by = scopes[depth];
        let number = self.engine.task_begin(1, 1, self.scopes[joined_by].number).unwrap();
        self.joining(joined_by).running += 1;
        let parent = self.current;
        let vertex = self.tasks[parent].vertex;
        let scopes = scopes[..=depth].to_vec();
        self.tasks.push(Task { number, vertex, joined_by, scopes, own: 0 });
        self.current = self.tasks.len() - 1;
        self.step(&[]);
        let child = self.current;
        self.current = parent;
        self.step(&[]);
        self.current = child;
    }

    fn end(&mut self) {
        let task = self.tasks.swap_remove(self.current);
        let own = task.scopes[task.scopes.len() - task.own..].iter();
        for &abandoned in own.rev() {
            let Scope { running, ends, heir, .. } = &mut self.scopes[abandoned];
            *heir = Some(task.joined_by);
            let (running, ends) = (*running, std::mem::take(ends));
            let heir = self.joining(task.joined_by);
            heir.running += running;
            heir.ends.extend(ends);
        }
        let joining = self.joining(task.joined_by);
        joining.running -= 1;
        joining.ends.push(task.vertex);
        self.engine.task_end().unwrap();
        // As the engine has it, if that task is still there.
        let expected = self.tasks.iter().position(|other| other.number == self.engine.current());
        self.current = expected.unwrap_or(0);
        if self.calm == 0 && self.random.chance(10) {
            self.current = self.random.below(self.tasks.len());
        }
        self.switch(self.current);
    }

    /// The scope that joins the tasks of another, or that one itself.
    fn joining(&mut self, scope: usize) -> &mut Scope {
        match self.scopes[scope].heir {
            Some(heir) => self.joining(heir),
            None => &mut self.scopes[scope],
        }
    }

    fn scope_end(&mut self) {
        let task = &mut self.tasks[self.current];
        let &scope = task.scopes.last().unwrap();
        if task.own == 0 || self.scopes[scope].running > 0 {
            return;
        }
        task.scopes.pop();
        task.own -= 1;
        self.engine.scope_end(self.scopes[scope].number).unwrap();
        let ends = std::mem::take(&mut self.scopes[scope].ends);
        self.step(&ends);
        self.rest();
    }

    fn rest(&mut self) {
        if self.engine.is_quiet() {
            let now = self.tasks[0].vertex;
            assert!(self.accesses.iter().all(|access| self.is_before(access.vertex, now)));
            self.engine.end_region();
            assert!(!self.engine.is_general());
            self.regions += 1;
        }
    }

    fn access(&mut self) {
        if self.in_tiles {
            return self.access_tile();
        }
        let first = self.random.below(LOCATIONS);
        let (kinds, bytes): (&[Kind], u8) = match first {
            0..3 => (&[Kind::Read, Kind::Read, Kind::Read, Kind::Write], 0xff),
            3 => (&[Kind::Read, Kind::Read, Kind::Read, Kind::Write, Kind::Add, Kind::Load], 0xff),
            4 => (&[Kind::Add, Kind::Add, Kind::Load, Kind::Load, Kind::Or, Kind::Swap], 0xff),
            _ => (&[Kind::Add, Kind::Load, Kind::Store], [0x0f, 0xf0, 0xff][self.random.below(3)]),
        };
        let kind = kinds[self.random.below(kinds.len())];
        let vertex = self.tasks[self.current].vertex;
        self.make(Access { vertex, first, end: first + 1, bytes, kind });
    }

    /// The first half of the words is mostly read as a whole, as is one word of the other half.
    fn access_tile(&mut self) {
        let (first, end) = [(0, 3), (0, 3), (0, 3), (1, 2), (3, 4), (4, 6)][self.random.below(6)];
        let kind = match self.random.below(self.rarely) {
            0 | 1 => Kind::Write,
            2 => Kind::Free,
            3 if first > 3 => Kind::Add,
            4 if first > 3 => Kind::Load,
            _ => Kind::Read,
        };
        let whole = if kind.writes() { 50 } else { 90 };
        let bytes = if self.random.chance(whole) {
            0xff
        } else {
            [0x0f, 0xf0, 0x0f, 0xf0, 0x18][self.random.below(5)]
        };
        if kind != Kind::Read || self.random.chance(8) {
            self.get_all();
        }
        let vertex = self.tasks[self.current].vertex;
        if bytes == 0xff && kind == Kind::Read && self.random.chance(50) {
            // Each word in two halves, as those of smaller elements are.
            self.make(Access { vertex, first, end, bytes: 0x0f, kind });
            self.make(Access { vertex, first, end, bytes: 0xf0, kind });
        } else {
            self.make(Access { vertex, first, end, bytes, kind });
        }
        if self.random.chance(60) {
            self.set();
        }
        if self.random.chance(5) {
            let cells = &mut self.cells;
            let each_cell = |each: &mut dyn FnMut(&mut [Cell])| each(cells);
            self.engine.judge.sweep_readers(Some(each_cell));
            self.lists.swept += 1;
        }
    }

    fn set(&mut self) {
        let vertex = self.tasks[self.current].vertex;
        self.promises.push((self.engine.promise_set(1).unwrap(), vertex));
        self.step(&[]);
    }

    fn get(&mut self, promise: usize) {
        let (point, vertex) = self.promises[promise];
        self.engine.promise_get(point, 1).unwrap();
        self.step(&[vertex]);
    }

    /// Gets all promises that there are, or all but one, or none.
    fn get_all(&mut self) {
        let left_out = self.random.below(1 + 3 * self.promises.len() / 2);
        let some = self.random.chance(80);
        for promise in (0..self.promises.len()).filter(|promise| some && *promise != left_out) {
            self.get(promise);
        }
    }

    fn make(&mut self, access: Access) {
        self.accesses.push(access);
        for location in access.first..access.end {
            self.make_to(access, location);
        }
    }

    fn make_to(&mut self, access: Access, location: usize) {
        let Access { vertex, bytes, kind, .. } = access;
        let site = self.accesses.len() as u32;
        let cell = &mut self.cells[location];
        let was_listed = cell.flags & MANY != 0 && cell.accessor >= self.engine.region();
        let base = self.engine.base();
        match kind {
            Kind::Read if cell.has_accessed(base, bytes) => return,
            Kind::Write if cell.has_written(base, bytes) => return,
            Kind::Read => {
                let id = self.engine.id_of(site).unwrap();
                self.engine.judge.read(cell, bytes, id).unwrap();
            }
            Kind::Write | Kind::Free => {
                let id = self.engine.id_of(site).unwrap();
                self.engine.judge.write(cell, kind, bytes, id).unwrap();
            }
            _ => {
                let relaxed = Ordering { acquires: false, releases: false };
                self.engine.atomic(cell, kind, bytes, site, relaxed).unwrap();
            }
        }
        let is_listed = cell.flags & MANY != 0;
        self.lists.made += usize::from(is_listed && !was_listed);
        if was_listed && !is_listed {
            let is_record = cell.flags & RECORD != 0 || !self.engine.judge.conflicts().is_empty();
            *(if is_record { &mut self.lists.given_up } else { &mut self.lists.written }) += 1;
        }
        let (plain, atomic) = self.conflicting(access, location);
        let found =
            self.engine.judge.conflicts().iter().fold(0, |all, conflict| all | conflict.bytes);
        let missed = (plain | atomic) & !found & !self.raced[location];
        assert_eq!(missed, 0, "location {location}, {kind:?}");
        self.raced[location] |= plain;
        for conflict in self.engine.judge.conflicts() {
            self.reported[location] |= conflict.bytes;
            let first = self.accesses[self.engine.site_of(conflict.first) as usize - 1];
            assert!(first.is_to(location));
            assert!(!self.is_before(first.vertex, vertex), "reported what is ordered");
        }
    }

    /// The bytes at which the newest access is in conflict with an earlier one, and at least one of the two is
    /// plain, or both are atomic.
    fn conflicting(&self, access: Access, location: usize) -> (u8, u8) {
        let Some((_, earlier)) = self.accesses.split_last() else { return (0, 0) };
        let (mut plain, mut atomic) = (0, 0);
        for first in earlier.iter().filter(|first| first.is_to(location)) {
            let bytes = match first.kind.relation(access.kind) {
                Relation::Plain => &mut plain,
                Relation::Atomic => &mut atomic,
                Relation::Independent | Relation::Commuting => continue,
            };
            if !self.is_before(first.vertex, access.vertex) {
                *bytes |= first.bytes & access.bytes;
            }
        }
        (plain, atomic)
    }

    fn can_end(&mut self) -> bool {
        let has_open = self.tasks[self.current].own > 0;
        self.current != 0 && (!has_open || (self.may_abandon && self.random.chance(30)))
    }

    fn act(&mut self) {
        self.calm = self.calm.saturating_sub(1);
        match self.random.below(20) {
            0..=2 => self.fork(),
            3 | 4 if self.can_end() => self.end(),
            5 => {
                let number = self.engine.scope_begin().unwrap();
                self.scopes.push(Scope { number, ..Scope::default() });
                let task = &mut self.tasks[self.current];
                task.scopes.push(self.scopes.len() - 1);
                task.own += 1;
            }
            6..=8 => self.scope_end(),
            9 | 10 if self.calm > 0 => self.access(),
            9 => {
                let to = self.random.below(self.tasks.len());
                self.switch(to);
            }
            10 => self.set(),
            11 | 12 if !self.promises.is_empty() => {
                let promise = self.random.below(self.promises.len());
                self.get(promise);
                self.rest();
            }
            _ => self.access(),
        }
    }

    fn check(&self) -> usize {
        for location in 0..LOCATIONS {
            let here: Vec<_> = self.accesses.iter().filter(|a| a.is_to(location)).collect();
            let mut in_race = 0;
            for (index, second) in here.iter().enumerate() {
                for first in &here[..index] {
                    let relation = first.kind.relation(second.kind);
                    if matches!(relation, Relation::Plain | Relation::Atomic)
                        && !self.is_before(first.vertex, second.vertex)
                    {
                        in_race |= first.bytes & second.bytes;
                    }
                }
            }
            assert_eq!(self.reported[location], in_race, "location {location}");
        }
        self.regions
    }
}

/// What tasks may do besides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum May {
    Nothing,
    /// Join scopes further out.
    Escape,
    /// That, and end without ending their scopes.
    Abandon,
}

fn runs(may: May, cases: u64, length: usize, budget: u32) {
    runs_with(may, cases, length, budget, false);
}

fn runs_with(may: May, cases: u64, length: usize, budget: u32, in_tiles: bool) -> Lists {
    let mut lists = Lists::default();
    let mut engine = Engine::new(Storage::leaked(1 << 16, 1 << 12));
    let mut regions = 0;
    for case in 0..cases {
        engine.restart();
        engine.limit_searches(budget);
        let main = Task { number: 0, vertex: 0, joined_by: 0, scopes: vec![SCOPE_OF_ALL], own: 0 };
        let mut run = Run {
            engine: &mut engine,
            random: Random(case * 77 + length as u64),
            graph: vec![Vec::new()],
            tasks: vec![main],
            current: 0,
            scopes: vec![Scope::default()],
            promises: Vec::new(),
            cells: vec![Cell::default(); LOCATIONS],
            accesses: Vec::new(),
            reported: vec![0; LOCATIONS],
            raced: vec![0; LOCATIONS],
            in_tiles,
            rarely: 10 << (case % 5),
            lists,
            may_escape: may != May::Nothing,
            may_abandon: may == May::Abandon,
            regions: 0,
            calm: 0,
        };
        if case % 3 > 0 {
            run.calm = run.random.below(2 * length);
        } else {
            // Leaves depth-first order at once.
            run.fork();
            run.switch(0);
        }
        for _ in 0..=case as usize % length {
            run.act();
        }
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run.check()));
        lists = run.lists;
        regions += ended.unwrap_or_else(|_| panic!("case {case} of length {length}"));
    }
    assert!(regions > cases as usize / 50, "{regions} regions ended");
    lists
}

/// Words that many tasks read, together and as a whole, or not quite.
#[test]
fn tasks_that_read_the_same_words() {
    for (may, cases, length) in [(May::Nothing, 30_000, 60), (May::Abandon, 10_000, 300)] {
        let lists = runs_with(may, cases, length, 24, true);
        let Lists { made, written, given_up, swept } = lists;
        let enough = cases as usize / 40;
        assert!(made.min(written).min(given_up).min(swept) > enough, "{lists:?}");
    }
}

#[test]
fn tasks_that_join_the_innermost_scope() {
    runs(May::Nothing, 20_000, 60, 24);
    runs(May::Nothing, 8_000, 300, 1);
}

#[test]
fn tasks_that_join_any_scope_or_none() {
    runs(May::Escape, 20_000, 60, 24);
    runs(May::Escape, 8_000, 300, 1);
}

#[test]
fn tasks_that_end_with_scopes_open() {
    runs(May::Abandon, 20_000, 60, 24);
    runs(May::Abandon, 8_000, 300, 1);
}
