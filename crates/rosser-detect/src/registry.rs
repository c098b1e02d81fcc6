//! The detectors: the one list of them.
//!
//! Command lines, settings, the run file, benchmarks, random programs, messages and what is refused in a program
//! are made from it. A detector of a paper is a file under [`crate::papers`] and a line here.

use crate::detector::Construct;
use crate::findings::Detail;
use crate::live::LiveDetector;
use crate::papers;

/// What runs a detector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Runs {
    /// The engine for one worker ([`crate::serial`]), in programs and in the model.
    Serial,
    /// The engine for several workers ([`crate::sf_order`]), in programs alone.
    Workers,
    /// An algorithm of a paper, which implements [`LiveDetector`]: in programs and in the model.
    Paper,
    /// The oracle, in the model alone.
    Oracle,
}

/// A line of the list.
struct Entry {
    kind: DetectorKind,
    name: &'static str,
    source: &'static str,
    runs: Runs,
    admits: &'static [Construct],
}

/// Makes the list, and whatever has to name the type of a detector.
macro_rules! detectors {
    ($($kind:ident = $number:literal, $name:literal, $source:literal, $runs:ident $(($type:ty))?, $admits:expr;)*) => {
        /// The detectors, by name. The numbers are those of the run file.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum DetectorKind {
            $(#[doc = concat!("`", $name, "`")] $kind = $number,)*
        }

        const ENTRIES: &[Entry] = &[$(Entry {
            kind: DetectorKind::$kind,
            name: $name,
            source: $source,
            runs: Runs::$runs,
            admits: $admits,
        }),*];

        impl DetectorKind {
            /// Has the visitor make a detector of this kind, if it is one of a paper.
            pub fn visit_paper<V: Visitor>(self, visitor: V) -> Option<V::Output> {
                match self {
                    $($(Self::$kind => Some(visitor.visit(<$type>::new)),)?)*
                    _ => None,
                }
            }
        }
    };
}

use Construct::{
    Accumulate, Async, Finish, Future, Isolated, OuterScope, OwnAllocator, Promise, SpawnSync,
    Unstructured,
};

// What a detector admits is what every program of its class may use. The order is that of help and tables.
#[rustfmt::skip]
detectors! {
    Auto = 0, "auto", "Rosser's own engine, the default", Serial, &Construct::ALL;
    SpBags = 1, "sp-bags", "Feng and Leiserson, SPAA 1997", Paper(papers::sp_bags::SpBags), &[SpawnSync, Accumulate];
    EspBags = 2, "esp-bags", "Raman et al., 2012", Paper(papers::esp_bags::EspBags), &[SpawnSync, Async, Finish, Isolated];
    Drdp = 3, "drdp", "Jin et al., ECOOP 2023, corrected", Paper(papers::drdp::Drdp), &[SpawnSync, Async, Finish, Promise, Future, Unstructured];
    MultiBags = 5, "multi-bags", "Utterback et al., PPoPP 2019", Paper(papers::multi_bags::MultiBags), &[SpawnSync, Async, Finish, Future];
    SfOrder = 4, "sf-order", "Xu, Singer and Lee, SPAA 2021", Workers, &[SpawnSync, Async, Finish, Isolated, Accumulate, Future, OuterScope, OwnAllocator];
    Oracle = 6, "oracle", "the explicit graph, exact and slow", Oracle, &Construct::ALL;
}

/// Does something with a detector of a type that the list knows.
pub trait Visitor {
    /// What comes of it.
    type Output;

    /// Does it; `new` makes such detectors.
    fn visit<D: LiveDetector + 'static>(self, new: impl Fn(Detail) -> D) -> Self::Output;
}

impl DetectorKind {
    /// Every detector, in the order of help and tables.
    pub const ALL: [Self; ENTRIES.len()] = {
        let mut all = [Self::Auto; ENTRIES.len()];
        let mut index = 0;
        while index < all.len() {
            all[index] = ENTRIES[index].kind;
            index += 1;
        }
        all
    };

    /// The names of those that can judge a program, in the same order.
    pub const PROGRAM_NAMES: [&str; program_count()] = {
        let mut names = [""; program_count()];
        let (mut index, mut count) = (0, 0);
        while index < ENTRIES.len() {
            if ENTRIES[index].runs.is_in_programs() {
                names[count] = ENTRIES[index].name;
                count += 1;
            }
            index += 1;
        }
        names
    };

    /// Those that can judge a program.
    pub fn in_programs() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|kind| kind.entry().runs.is_in_programs())
    }

    /// Those that can judge a run of the model language.
    pub fn in_model() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|kind| kind.entry().runs != Runs::Workers)
    }

    /// The papers' own, which are told of events and accesses one by one.
    pub fn of_papers() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|kind| kind.entry().runs == Runs::Paper)
    }

    /// Says, in pieces, who admits a construct in programs that are built for one worker: `drdp and auto do`.
    pub fn say_who_admits(construct: Construct, mut say: impl FnMut(&'static str)) {
        let able = || Self::of_papers().chain([Self::Auto]).filter(|kind| kind.admits(construct));
        let count = able().count();
        for (index, kind) in able().enumerate() {
            say(kind.name());
            say(match count - index {
                1 if count == 1 => " does",
                1 => " do",
                2 => " and ",
                _ => ", ",
            });
        }
    }

    /// The detector with the given name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The detector with the given number.
    pub fn numbered(number: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.number() == number)
    }

    /// The detector's number in the run file.
    pub fn number(self) -> u64 {
        self as u64
    }

    /// The detector's name, as on the command line.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// Whose algorithm it is.
    pub fn source(self) -> &'static str {
        self.entry().source
    }

    /// Whether programs with the given construct are in the detector's class.
    pub fn admits(self, construct: Construct) -> bool {
        self.entry().admits.contains(&construct)
    }

    /// Whether it is the one for several workers: programs are built in another way for it.
    pub fn needs_workers(self) -> bool {
        self.entry().runs == Runs::Workers
    }

    /// Whether it knows weak order, and so the class of a conflict. If not, two critical sections in conflict are
    /// not looked for where it admits them, and all else that it reports counts as a data race.
    pub fn knows_weak_order(self) -> bool {
        self.entry().runs != Runs::Paper
    }

    fn entry(self) -> &'static Entry {
        ENTRIES.iter().find(|entry| entry.kind == self).expect("each kind has a line")
    }
}

impl Runs {
    const fn is_in_programs(self) -> bool {
        !matches!(self, Self::Oracle)
    }
}

const fn program_count() -> usize {
    let (mut index, mut count) = (0, 0);
    while index < ENTRIES.len() {
        count += ENTRIES[index].runs.is_in_programs() as usize;
        index += 1;
    }
    count
}

/// A detector of a paper, boxed.
struct Boxed(Detail);

impl Visitor for Boxed {
    type Output = Box<dyn LiveDetector>;

    fn visit<D: LiveDetector + 'static>(self, new: impl Fn(Detail) -> D) -> Self::Output {
        Box::new(new(self.0))
    }
}

/// A fresh detector of the given kind, if it is one of a paper.
pub fn build(kind: DetectorKind, detail: Detail) -> Option<Box<dyn LiveDetector>> {
    kind.visit_paper(Boxed(detail))
}
