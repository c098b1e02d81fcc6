//! What was heard, held against what is to be expected.
//!
//! * Every conflict that was heard of is one: each of its bytes has a pair of parallel accesses by the code
//!   that it names, of the class that it has. For the first of the two the detector may name the code of
//!   another access of the same task to the same word.
//! * Every byte that has a conflict was heard of, with a data race if it has one.
//! * The serial engine tells of every place, too: where a byte has no data race and nothing is locked, so has all
//!   code that is the second of a conflict.
//!
//! Without mutexes no schedule changes a class. With them, one does if tasks run in parallel: then classes are
//! not compared, but accesses with a common mutex locked are never a data race, nor are two atomic ones.

use std::collections::{HashMap, HashSet};

use rosser_detect::{Class, Exclusion};

use crate::exact::{Exclusions, Expected, Pair};
use crate::listener::{Heard, Record, bytes_of};
use crate::program::{Object, Site};

/// A program with more accesses than this may have words with so many that not all pairs are looked at.
const MANY: usize = 64;

/// How tasks are run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// One after the other, in depth-first order.
    Serial,
    /// The same, under a detector of the papers, which promises no more than one conflict at each byte.
    Paper,
    /// On several workers, in any order.
    Parallel,
}

/// The code that makes accesses, by address.
pub type Sites = HashMap<usize, Site>;

/// Compares. What is wrong, if something is.
pub fn compare(expected: &Expected, heard: &Heard, sites: &Sites, mode: Mode) -> Option<String> {
    let comparison = Comparison { expected, heard, sites, mode };
    comparison
        .elsewhere()
        .or_else(|| comparison.invented())
        .or_else(|| comparison.missed())
        .or_else(|| comparison.missed_place())
}

struct Comparison<'c> {
    expected: &'c Expected,
    heard: &'c Heard,
    sites: &'c Sites,
    mode: Mode,
}

impl Comparison<'_> {
    /// Whether the class of a conflict depends on the schedule.
    fn classes_vary(&self) -> bool {
        self.mode == Mode::Parallel && self.expected.has_locks
    }

    fn elsewhere(&self) -> Option<String> {
        let record = self.heard.elsewhere?;
        Some(format!("reported a conflict where there is none:\n{}", self.describe(&record)))
    }

    fn invented(&self) -> Option<String> {
        let records: HashSet<&Record> = self.heard.records.iter().collect();
        records.into_iter().find_map(|record| {
            let wrong = bytes_of(record.word, record.bytes)
                .find(|location| !self.is_real(*location, record))?;
            let (at, what) = (show(wrong), self.describe(record));
            let really = self.pairs(wrong);
            Some(format!("invented a conflict at {at}:\n{what}\n  really there:{really}"))
        })
    }

    fn is_real(&self, location: usize, record: &Record) -> bool {
        let [first, second] = record.pcs.map(|pc| self.sites.get(&pc).copied());
        let Some(second) = second else { return false };
        let orders = |first, second| match self.mode {
            Mode::Serial | Mode::Paper => vec![[first, second]],
            Mode::Parallel => vec![[first, second], [second, first]],
        };
        let is_exact = first.is_some_and(|first| {
            orders(first, second).into_iter().any(|sites| {
                let exclusions = self.expected.places.get(&(location, sites));
                exclusions.is_some_and(|exclusions| self.fits(*exclusions, record.class))
            })
        });
        is_exact || self.is_inexact(location, record.class, first, second)
    }

    /// Whether there is a conflict whose first access is in a task that accesses the word by the given code.
    fn is_inexact(&self, location: usize, class: Class, first: Option<Site>, second: Site) -> bool {
        self.expected.pairs.iter().any(|(pair, exclusions)| {
            let is_side = |first_side: usize| {
                let accesses = &self.expected.sites[&(pair.tasks[first_side], location & !7)];
                let makes = |site| accesses.contains(&site);
                pair.sites[1 - first_side] == second && first.is_none_or(makes)
            };
            pair.location == location
                && self.fits(*exclusions, class)
                && (is_side(0) || self.mode == Mode::Parallel && is_side(1))
        })
    }

    /// Whether a pair can have a class.
    fn fits(&self, exclusions: Exclusions, class: Class) -> bool {
        exclusions.any(|exclusion| match (exclusion, class) {
            (Exclusion::WeakOrder | Exclusion::None, _) if self.classes_vary() => true,
            _ => exclusion.class() == class,
        })
    }

    fn missed(&self) -> Option<String> {
        let mut locations: Vec<_> = self.expected.worst.iter().collect();
        locations.sort();
        locations.into_iter().find_map(|(location, class)| {
            let at = show(*location);
            match self.heard.worst[*location] {
                None => {
                    Some(format!("missed the {} at {at}{}", class.name(), self.pairs(*location)))
                }
                Some(other) if other < *class && !self.classes_vary() && !self.heard.is_crowded => {
                    let (class, other) = (class.name(), other.name());
                    Some(format!("called the {class} at {at} {other}{}", self.pairs(*location)))
                }
                Some(_) => None,
            }
        })
    }

    /// A place that is the second of a conflict of atomic accesses. Where words have many accesses, the engine
    /// may miss one.
    fn missed_place(&self) -> Option<String> {
        let Expected { has_locks, accesses, .. } = *self.expected;
        let are_all_heard = self.heard.records.len() == self.heard.conflicts;
        if self.mode != Mode::Serial || has_locks || accesses > MANY || !are_all_heard {
            return None;
        }
        let records = self.heard.records.iter();
        let heard: HashSet<(usize, Option<&Site>)> = records
            .flat_map(|record| {
                let second = self.sites.get(&record.pcs[1]);
                bytes_of(record.word, record.bytes).map(move |location| (location, second))
            })
            .collect();
        let missed = self.expected.places.keys().find(|(location, [_, second])| {
            self.expected.worst[location] == Class::OrderDependent
                && !heard.contains(&(*location, Some(second)))
        });
        let (location, [first, second]) = missed?;
        Some(format!("missed a conflict at {}: {first}, {second}", show(*location)))
    }

    /// The pairs at a location, as text.
    fn pairs(&self, location: usize) -> String {
        let pairs = self.expected.pairs.iter().filter(|(pair, _)| pair.location == location);
        let shown = pairs.take(8).map(|(Pair { sites: [first, second], .. }, exclusions)| {
            let is_race = exclusions.any(|exclusion| exclusion.class() == Class::DataRace);
            let worst = if is_race { Class::DataRace } else { Class::OrderDependent };
            format!("\n    {}: {first}, {second}", worst.name())
        });
        shown.collect()
    }

    fn describe(&self, record: &Record) -> String {
        let [first, second] = record.pcs.map(|pc| match self.sites.get(&pc) {
            Some(site) => site.to_string(),
            None => format!("code at {pc:#x}"),
        });
        let Record { word, bytes, class, .. } = record;
        format!("    {}: {first}, {second}; word {word:#x}, bytes {bytes:#010b}", class.name())
    }
}

/// A location, as text.
fn show(location: usize) -> String {
    let (object, offset) = Object::of(location);
    format!("{object}[{offset}]")
}
