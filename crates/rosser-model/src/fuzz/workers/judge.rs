//! What the engine has reported, held against the oracle.

use rosser_detect::oracle::Oracle;
use rosser_detect::{Access, Class, Item, LocId, SiteId, StepId, Trace};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many accesses of one kind are kept whatever they are to each other.
const KEPT: usize = 6;

/// A reported conflict.
#[derive(Debug)]
pub struct Reported {
    pub location: LocId,
    pub first: SiteId,
    pub second: SiteId,
    /// Which item of the trace the second access is.
    pub item: usize,
    pub class: Class,
    /// Whether the first place is exact.
    pub is_exact: bool,
}

/// A worker, and the number of a step of it.
pub type WorkerStep = (usize, u32);

/// What the engine has found.
pub struct Heard {
    /// Its conflicts.
    pub reported: Vec<Reported>,
    /// By item of the trace: the engine's step.
    pub steps: Vec<WorkerStep>,
    /// Whether the engine has left an access out, and said so.
    pub is_crowded: bool,
}

/// What is known when a run is over.
pub struct Verdict<'a> {
    /// What was told.
    pub trace: &'a Trace,
    /// What the engine has made of it.
    pub heard: &'a Heard,
    /// By item of the trace: the oracle's step.
    pub steps: &'a [StepId],
}

impl Verdict<'_> {
    /// Every racy location is found with its class, and every reported conflict is one, of that class.
    pub fn judge(&self, oracle: &Oracle) -> Option<String> {
        let expected = oracle.worst_where(|_| true);
        let mut pairs: FxHashMap<_, FxHashSet<Class>> = FxHashMap::default();
        for conflict in oracle.conflicts() {
            let race = conflict.race;
            let key = (race.location, race.first.site, race.second.site);
            pairs.entry(key).or_default().insert(race.class());
        }
        let mut found: FxHashMap<LocId, Class> = FxHashMap::default();
        for reported in &self.heard.reported {
            let Reported { location, first, second, class, is_exact, .. } = *reported;
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
        for (location, class) in &expected {
            match found.get(location) {
                None => return Some(format!("missed the {} at {location:?}", class.name())),
                Some(other)
                    if other != class
                        && !self.heard.is_crowded
                        && !self.may_be_mild(*location, oracle) =>
                {
                    let (class, other) = (class.name(), other.name());
                    return Some(format!("called the {class} at {location:?} {other}"));
                }
                Some(_) => {}
            }
        }
        self.missed_step(oracle)
    }

    /// If the first access of a step to a location is the second of a conflict, it is reported with one, however
    /// many there are at the location: what is kept stands for all that came before.
    fn missed_step(&self, oracle: &Oracle) -> Option<String> {
        if self.heard.is_crowded {
            return None;
        }
        let place = |item: usize, location: LocId| (location, self.heard.steps[item]);
        let reported: FxHashSet<_> =
            self.heard.reported.iter().map(|race| place(race.item, race.location)).collect();
        let seconds: FxHashSet<_> = oracle
            .conflicts()
            .iter()
            .map(|conflict| (conflict.second, conflict.race))
            .map(|(step, race)| (step, race.location, race.second.site, race.second.access))
            .collect();
        let mut seen = FxHashSet::default();
        for (item, what) in self.trace.items().iter().enumerate() {
            let Item::Access(location, access, site) = *what else { continue };
            let here = place(item, location);
            let is_second = seconds.contains(&(self.steps[item], location, site, access));
            if seen.insert(here) && is_second && !reported.contains(&here) {
                return Some(format!(
                    "missed that {access:?} of {location:?} at {site:?} conflicts"
                ));
            }
        }
        None
    }

    /// Whether the class at a location may be milder than it is. Of many parallel accesses of one kind the engine
    /// keeps some that stand for the others, and these may be in weak order where the others are not: of plain
    /// reads it keeps two, of others [`KEPT`].
    fn may_be_mild(&self, location: LocId, oracle: &Oracle) -> bool {
        let races = oracle.conflicts().iter().map(|conflict| conflict.race);
        let mut races =
            races.filter(|race| (race.location, race.class()) == (location, Class::DataRace));
        races.all(|race| {
            let is_alike = |item: &&Item| match **item {
                Item::Access(at, access, _) => (at, access) == (location, race.first.access),
                Item::Event(_) => false,
            };
            let alike = self.trace.items().iter().filter(is_alike).count();
            alike > if race.first.access == Access::Read { 2 } else { KEPT }
        })
    }
}
