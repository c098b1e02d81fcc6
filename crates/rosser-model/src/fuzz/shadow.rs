//! The runtime's engine held against the oracle: the same run, told as the runtime tells it, and the accesses
//! made to its cells. [`crate::Auto`] uses the same engine, but keeps accesses of its own.
//!
//! Locations become bytes of words, either a word for each or four in one word, so that the
//! histories of neighbouring bytes are tested as well. Locks and signals become atomic words.

use std::cell::RefCell;

use rosser_detect::kind::Kind;
use rosser_detect::kind::Ordering;
use rosser_detect::oracle::Oracle;
use rosser_detect::serial::cell::Cell;
use rosser_detect::serial::engine::Engine;
use rosser_detect::serial::memory::Storage;
use rosser_detect::storage::Exhausted;
use rosser_detect::{Access, Class, Event, Item, LocId, SiteId, TokenId, Trace};
use rustc_hash::{FxHashMap, FxHashSet};

use super::compare::Mismatch;
use super::layout::{Layout, kind};
use crate::auto::told::Told;

thread_local! {
    // Its memory is never freed, so all programs share one engine.
    static ENGINE: RefCell<Engine> = RefCell::new(Engine::new(Storage::leaked(1 << 18, 1 << 12)));
    // One that has no memory for sets of sources.
    static POOR: RefCell<Engine> = RefCell::new(Engine::new({
        let mut storage = Storage::leaked(1 << 18, 1 << 12);
        storage.general.joins.nodes = Default::default();
        storage.general.joins.leaves = Default::default();
        storage
    }));
}

/// Compares what the engine finds with what the oracle has. Small programs seldom need what it falls
/// back on after a longer search, so it gives up early in some of the runs.
pub fn compare(trace: &Trace, oracle: &Oracle) -> Option<Mismatch> {
    let ways = [
        (Layout::Words, false, false, &ENGINE, 24),
        (Layout::Words, true, false, &ENGINE, 24),
        (Layout::Bytes, false, false, &ENGINE, 1),
        (Layout::Bytes, true, false, &ENGINE, 1),
        (Layout::Words, false, false, &POOR, 0),
        (Layout::Words, false, true, &ENGINE, 24),
        (Layout::Bytes, false, true, &ENGINE, 24),
        (Layout::Bytes, true, true, &ENGINE, 24),
    ];
    ways.into_iter().find_map(|(layout, compacts, items, engine, budget)| {
        engine.with_borrow_mut(|engine| {
            engine.restart();
            engine.limit_searches(budget);
            let mut run = Run::new(engine, layout, compacts, items);
            let result = run.tell(trace);
            let what = match result {
                Err(Exhausted) => Some("ran out of memory".to_owned()),
                Ok(()) => run.judge(oracle).or_else(|| run.missed_place(trace, oracle)),
            };
            let told = if items { ", siblings told as items" } else { "" };
            what.map(|what| Mismatch {
                who: format!("the runtime's engine ({layout:?}{told})"),
                what,
            })
        })
    })
}

/// A reported pair: where the two were, and whether the first place is exact.
type Pair = (LocId, SiteId, SiteId, bool);

struct Run<'a> {
    engine: &'a mut Engine,
    told: Told,
    layout: Layout,
    /// Whether ids get new numbers after every event.
    compacts: bool,
    cells: Vec<Cell>,
    locks: Vec<Cell>,
    signals: FxHashMap<TokenId, Cell>,
    worst: FxHashMap<LocId, Class>,
    pairs: Vec<Pair>,
    /// How many words were crowded before.
    crowded: u64,
}

impl<'a> Run<'a> {
    fn new(engine: &'a mut Engine, layout: Layout, compacts: bool, items: bool) -> Self {
        let crowded = engine.counts().crowded;
        Self {
            engine,
            told: if items { Told::with_items() } else { Told::new() },
            layout,
            compacts,
            cells: Vec::new(),
            locks: Vec::new(),
            signals: FxHashMap::default(),
            worst: FxHashMap::default(),
            pairs: Vec::new(),
            crowded,
        }
    }

    fn tell(&mut self, trace: &Trace) -> Result<(), Exhausted> {
        for item in trace.items() {
            match *item {
                Item::Event(event) => self.event(event)?,
                Item::Access(location, access, site) => {
                    self.told.settle(self.engine)?;
                    self.access(location, access, site)?;
                }
            }
        }
        Ok(())
    }

    fn event(&mut self, event: Event) -> Result<(), Exhausted> {
        self.told.event(self.engine, event)?;
        match event {
            Event::Acquire { lock } => self.lock(lock.0, true)?,
            Event::Release { lock } => self.lock(lock.0, false)?,
            Event::Signal { token } => self.signal(token, false)?,
            Event::Await { token } => self.signal(token, true)?,
            _ => {}
        }
        if self.compacts {
            let Self { cells, locks, signals, .. } = self;
            self.engine.compact(|each| {
                each(cells);
                let others = locks.iter_mut().chain(signals.values_mut());
                others.for_each(|cell| each(std::slice::from_mut(cell)));
            });
        }
        Ok(())
    }

    fn signal(&mut self, token: TokenId, acquires: bool) -> Result<(), Exhausted> {
        let cell = self.signals.entry(token).or_default();
        let kind = if acquires { Kind::Load } else { Kind::Store };
        self.engine.atomic(cell, kind, 0xff, 1, Ordering { acquires, releases: !acquires })
    }

    fn lock(&mut self, lock: u32, acquires: bool) -> Result<(), Exhausted> {
        let index = lock as usize;
        self.locks.resize(self.locks.len().max(index + 1), Cell::default());
        let ordering = Ordering { acquires, releases: !acquires };
        self.engine.atomic(&mut self.locks[index], Kind::Swap, 0x0f, 1, ordering)
    }

    fn access(&mut self, location: LocId, access: Access, site: SiteId) -> Result<(), Exhausted> {
        let (word, bytes) = self.layout.place(location);
        self.cells.resize(self.cells.len().max(word + 1), Cell::default());
        let cell = &mut self.cells[word];
        let base = self.engine.base();
        let relaxed = Ordering { acquires: false, releases: false };
        let number = site.0 + 1;
        match access {
            Access::Read if cell.has_accessed(base, bytes) => return Ok(()),
            Access::Read if self.engine.judge.leave_to_others(cell) => return Ok(()),
            Access::Write if cell.has_written(base, bytes) => return Ok(()),
            Access::Read => {
                let id = self.engine.id_of(number)?;
                self.engine.judge.read(cell, bytes, id)?;
            }
            Access::Write => {
                let id = self.engine.id_of(number)?;
                self.engine.judge.write(cell, Kind::Write, bytes, id)?;
            }
            _ => self.engine.atomic(cell, kind(access), bytes, number, relaxed)?,
        }
        for conflict in self.engine.judge.conflicts() {
            let class =
                if conflict.is_data_race() { Class::DataRace } else { Class::OrderDependent };
            let first = SiteId(self.engine.site_of(conflict.first) - 1);
            for location in self.layout.locations(word, conflict.bytes) {
                self.worst.entry(location).and_modify(|w| *w = class.max(*w)).or_insert(class);
                self.pairs.push((location, first, site, conflict.exact));
            }
        }
        Ok(())
    }

    fn judge(&self, oracle: &Oracle) -> Option<String> {
        let expected = oracle.worst_where(|_| true);
        for (location, class) in &expected {
            match self.worst.get(location) {
                None => return Some(format!("missed the {} at {location:?}", class.name())),
                // Where an access had to be left out, the engine says that classes may be too mild.
                Some(Class::OrderDependent) if self.engine.counts().crowded > self.crowded => {}
                Some(other) if other != class => {
                    let (class, other) = (class.name(), other.name());
                    return Some(format!("called the {class} at {location:?} {other}"));
                }
                Some(_) => {}
            }
        }
        let real: FxHashSet<_> = oracle
            .conflicts()
            .iter()
            .map(|conflict| &conflict.race)
            .map(|race| (race.location, race.first.site, race.second.site))
            .collect();
        let invented = self.pairs.iter().find(|(location, first, second, exact)| {
            !expected.contains_key(location)
                || (*exact && !real.contains(&(*location, *first, *second)))
        });
        invented.map(|pair| format!("reported a race that does not exist: {pair:?}"))
    }

    /// Where all conflicts are between atomic accesses, and nothing is released, every place is to be reported
    /// that is the second of one: memory may be used for several things, one after the other.
    fn missed_place(&self, trace: &Trace, oracle: &Oracle) -> Option<String> {
        if trace.items().iter().any(orders_weakly) {
            return None;
        }
        let worst = oracle.worst_where(|_| true);
        let reported: FxHashSet<_> =
            self.pairs.iter().map(|(location, _, second, _)| (*location, *second)).collect();
        let missed = oracle.conflicts().iter().map(|conflict| &conflict.race).find(|race| {
            worst[&race.location] == Class::OrderDependent
                && !reported.contains(&(race.location, race.second.site))
        });
        missed.map(|race| format!("missed one of several order-dependences: {race:?}"))
    }
}

/// Whether an event releases or acquires.
fn orders_weakly(item: &Item) -> bool {
    use Event::{Acquire, Await, Release, Signal};
    matches!(item, Item::Event(Acquire { .. } | Release { .. } | Signal { .. } | Await { .. }))
}
