//! What the oracle says of a program.
//!
//! It is told of the program in depth-first order. The oracle has no tasks that join a scope further out than
//! the innermost. So all tasks of a scope are forked where it is opened, and wait for a promise there, which is
//! set where they are spawned.

use std::collections::{HashMap, HashSet};

use rosser_detect::oracle::Oracle;
use rosser_detect::{
    Access as Kind, Class, Detail, Detector, Event, Exclusion, LocId, LockId, Operator, PromiseId,
    ScopeKind, SiteId, TaskId, TaskKind,
};

use crate::program::{
    Access, Block, Lock, Object, Op, Program, SLOT_WORDS, Scope, Site, Slot, Statement,
};

/// What is to be expected of a program.
#[derive(Debug)]
pub struct Expected {
    /// The worst class of the conflicts at each location that has some.
    pub(crate) worst: HashMap<usize, Class>,
    /// What keeps the two accesses of each pair from overlapping.
    pub(crate) pairs: HashMap<Pair, Exclusions>,
    /// The same without tasks.
    pub(crate) places: HashMap<(usize, [Site; 2]), Exclusions>,
    /// The code by which each task accesses each word, which is given by the location of its first byte.
    pub(crate) sites: HashMap<(TaskId, usize), HashSet<Site>>,
    /// Whether it has mutexes.
    pub(crate) has_locks: bool,
    /// How many accesses it makes.
    pub(crate) accesses: usize,
}

/// Two accesses in conflict; the first in depth-first order is the first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Pair {
    pub location: usize,
    pub sites: [Site; 2],
    pub tasks: [TaskId; 2],
}

/// What keeps accesses from overlapping that the sites and tasks do not tell apart: one bit for each.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Exclusions(u8);

impl Exclusions {
    fn insert(&mut self, exclusion: Exclusion) {
        self.0 |= 1 << exclusion as u8;
    }

    /// Whether a condition holds for one of them.
    pub fn any(self, condition: impl Fn(Exclusion) -> bool) -> bool {
        use Exclusion::{Atomic, CommonLock, None, WeakOrder};
        let all = [None, CommonLock, WeakOrder, Atomic];
        all.into_iter().any(|exclusion| self.0 >> exclusion as u8 & 1 == 1 && condition(exclusion))
    }
}

impl Expected {
    /// The worst class of all conflicts, if there are some.
    pub fn worst(&self) -> Option<Class> {
        self.worst.values().copied().max()
    }
}

/// Asks the oracle.
pub fn expect(program: &Program) -> Expected {
    let mut spawned: HashMap<Scope, Vec<usize>> = HashMap::new();
    Statement::each(&program.main, &mut |statement| {
        if let Statement::Spawn(scope, number, _) = statement {
            spawned.entry(*scope).or_default().push(*number);
        }
    });
    let mut teller = Teller {
        oracle: Oracle::new(Detail::Locations),
        spawned,
        tasks: HashMap::new(),
        next_task: 1,
        current: TaskId::MAIN,
        sites: HashMap::new(),
        accesses: 0,
    };
    teller.block(&program.main);
    let mut expected = Expected {
        worst: HashMap::new(),
        pairs: HashMap::new(),
        places: HashMap::new(),
        sites: teller.sites,
        has_locks: program.has(|statement| matches!(statement, Statement::Locked(..))),
        accesses: teller.accesses,
    };
    for conflict in teller.oracle.conflicts() {
        let race = conflict.race;
        let sides = [race.first, race.second];
        let is_free = sides.iter().any(|place| place.site == FREE);
        assert!(!is_free, "a slot is used while it is freed: {race:?}");
        let pair = Pair {
            location: race.location.index(),
            sites: sides.map(|place| Site::from_index(place.site.index())),
            tasks: sides.map(|place| place.task),
        };
        expected.pairs.entry(pair).or_default().insert(race.exclusion);
        let places = (pair.location, pair.sites);
        expected.places.entry(places).or_default().insert(race.exclusion);
        let worst = expected.worst.entry(pair.location).or_insert(race.class());
        *worst = race.class().max(*worst);
    }
    expected
}

/// Where slots are freed.
const FREE: SiteId = SiteId(u32::MAX - 1);

/// Tells the oracle of a program.
struct Teller {
    oracle: Oracle,
    /// The numbers of the tasks of each scope.
    spawned: HashMap<Scope, Vec<usize>>,
    /// The tasks of scopes that have been opened, by number.
    tasks: HashMap<usize, TaskId>,
    next_task: u32,
    current: TaskId,
    sites: HashMap<(TaskId, usize), HashSet<Site>>,
    accesses: usize,
}

impl Teller {
    fn block(&mut self, block: &Block) {
        for statement in block {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Access(access) => self.access(*access),
            Statement::Join(a, b) => self.forking(&[a, b]),
            Statement::ForEach(items) => self.forking(&items.iter().collect::<Vec<_>>()),
            Statement::Scope(scope, body) => self.scope(*scope, body),
            Statement::Spawn(_, number, body) => {
                let promise = PromiseId::from_index(*number);
                self.oracle.event(Event::Set { promise });
                let task = self.tasks[number];
                self.run(task, |teller| {
                    teller.oracle.event(Event::Get { promise });
                    teller.block(body);
                });
            }
            Statement::Locked(Lock(lock), body) => {
                let lock = LockId::from_index(*lock);
                self.oracle.event(Event::Acquire { lock });
                self.block(body);
                self.oracle.event(Event::Release { lock });
            }
            Statement::Stack(_, body) => self.block(body),
            Statement::Heap(slot, made, freed, body) => {
                if let Some((own, other)) = made {
                    self.forking(&[own, other]);
                }
                self.block(body);
                match freed {
                    None => self.free(*slot),
                    Some((own, other)) => self.finish(|teller| {
                        teller.child(|teller| {
                            teller.block(own);
                            teller.free(*slot);
                        });
                        teller.child(|teller| teller.block(other));
                    }),
                }
            }
            Statement::Pause(_) => {}
        }
    }

    fn access(&mut self, access: Access) {
        let site = access.site;
        self.accesses += 1;
        let kind = match site.op {
            Op::Read => Kind::Read,
            Op::Write => Kind::Write,
            Op::Load => Kind::AtomicRead,
            Op::Store => Kind::AtomicWrite,
            // It commutes with nothing.
            Op::Swap => Kind::Update(Operator::Div),
            Op::Add => Kind::Update(Operator::Add),
            Op::Or => Kind::Update(Operator::Or),
            Op::Fetch => Kind::Fetch(Operator::Add),
        };
        for location in access.location()..access.location() + site.width.bytes() {
            let site_id = SiteId::from_index(site.index());
            self.oracle.access(LocId::from_index(location), kind, site_id);
            self.sites.entry((self.current, location & !7)).or_default().insert(site);
        }
    }

    fn free(&mut self, slot: Slot) {
        let start = Object::Slot(slot).location();
        for location in start..start + SLOT_WORDS * 8 {
            self.oracle.access(LocId::from_index(location), Kind::Write, FREE);
        }
    }

    /// Blocks that are tasks of a scope of their own.
    fn forking(&mut self, blocks: &[&Block]) {
        self.finish(|teller| {
            for block in blocks {
                teller.child(|teller| teller.block(block));
            }
        });
    }

    fn scope(&mut self, scope: Scope, body: &Block) {
        self.finish(|teller| {
            for number in teller.spawned.remove(&scope).unwrap_or_default() {
                let task = teller.fork();
                teller.tasks.insert(number, task);
            }
            teller.block(body);
        });
    }

    fn finish(&mut self, body: impl FnOnce(&mut Self)) {
        self.oracle.event(Event::ScopeBegin { kind: ScopeKind::Finish });
        body(self);
        self.oracle.event(Event::ScopeEnd { kind: ScopeKind::Finish });
    }

    fn child(&mut self, body: impl FnOnce(&mut Self)) {
        let task = self.fork();
        self.run(task, body);
    }

    fn fork(&mut self) -> TaskId {
        let child = TaskId(self.next_task);
        self.next_task += 1;
        self.oracle.event(Event::Fork { child, kind: TaskKind::Async });
        child
    }

    fn run(&mut self, task: TaskId, body: impl FnOnce(&mut Self)) {
        let parent = self.current;
        self.oracle.event(Event::Switch { to: task });
        self.current = task;
        body(self);
        self.oracle.event(Event::End);
        self.oracle.event(Event::Switch { to: parent });
        self.current = parent;
    }
}
