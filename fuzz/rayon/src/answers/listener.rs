//! Hears of conflicts, from any thread at any time: every byte keeps its worst class, and a list keeps the
//! conflicts themselves. Nothing is locked and nothing allocated.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};

use rosser_detect::Class;

use crate::observed::Observed;
use crate::program::{LOCATIONS, LOCKS, Object, WORDS};
use crate::tables::slot_around;

/// How many conflicts of a run are kept. Of others there is only the worst class.
const KEPT: usize = 1 << 16;

/// Where a program's memory is, but for slots.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// The array's address.
    pub array: usize,
    /// Those of the mutexes. Each is in a word of its own.
    pub locks: [usize; LOCKS],
}

/// What was heard of one run.
#[derive(Clone, Debug)]
pub struct Heard {
    /// The worst class of the conflicts at each location.
    pub(crate) worst: Vec<Option<Class>>,
    /// The conflicts that were kept.
    pub(crate) records: Vec<Record>,
    /// A conflict where there should be none: at no location, or a data race at a mutex.
    pub(crate) elsewhere: Option<Record>,
    /// Whether the detector has left something out, so that classes may be too mild.
    pub is_crowded: bool,
    /// How many conflicts there were.
    pub conflicts: usize,
}

/// A conflict.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Record {
    /// The location of the word's first byte; of one elsewhere, its address.
    pub(crate) word: usize,
    pub(crate) bytes: u8,
    pub(crate) class: Class,
    /// The code that made the first access and the second.
    pub(crate) pcs: [usize; 2],
}

/// A place for a record that any thread may fill.
struct Cell {
    word: AtomicUsize,
    bytes: AtomicU8,
    is_data_race: AtomicBool,
    pcs: [AtomicUsize; 2],
}

impl Cell {
    const fn new() -> Self {
        Self {
            word: AtomicUsize::new(0),
            bytes: AtomicU8::new(0),
            is_data_race: AtomicBool::new(false),
            pcs: [const { AtomicUsize::new(0) }; 2],
        }
    }

    // Relaxed: it is read when all tasks have ended.
    fn fill(&self, word: usize, observed: &Observed) {
        self.word.store(word, Relaxed);
        self.bytes.store(observed.bytes, Relaxed);
        self.is_data_race.store(observed.is_data_race, Relaxed);
        self.pcs[0].store(observed.first_pc, Relaxed);
        self.pcs[1].store(observed.second_pc, Relaxed);
    }

    fn record(&self) -> Record {
        let is_data_race = self.is_data_race.load(Relaxed);
        Record {
            word: self.word.load(Relaxed),
            bytes: self.bytes.load(Relaxed),
            class: if is_data_race { Class::DataRace } else { Class::OrderDependent },
            pcs: [self.pcs[0].load(Relaxed), self.pcs[1].load(Relaxed)],
        }
    }
}

static ARRAY: AtomicUsize = AtomicUsize::new(0);
static LOCK: [AtomicUsize; LOCKS] = [const { AtomicUsize::new(0) }; LOCKS];
/// How bad it gets at each location.
static WORST: [AtomicU8; LOCATIONS] = [const { AtomicU8::new(GOOD) }; LOCATIONS];
static COUNT: AtomicUsize = AtomicUsize::new(0);
static RECORDS: [Cell; KEPT] = [const { Cell::new() }; KEPT];
static COUNT_ELSEWHERE: AtomicUsize = AtomicUsize::new(0);
static ELSEWHERE: Cell = Cell::new();
static CROWDED: AtomicU64 = AtomicU64::new(0);
static CROWDED_BEFORE: AtomicU64 = AtomicU64::new(0);

const GOOD: u8 = 0;
const ORDER_DEPENDENT: u8 = 1;
const DATA_RACE: u8 = 2;

/// A run begins.
#[inline(never)]
pub fn listen(memory: Memory) {
    ARRAY.store(memory.array, Relaxed);
    for (lock, at) in LOCK.iter().zip(memory.locks) {
        lock.store(at, Relaxed);
    }
    for worst in &WORST {
        worst.store(GOOD, Relaxed);
    }
    COUNT.store(0, Relaxed);
    COUNT_ELSEWHERE.store(0, Relaxed);
    CROWDED_BEFORE.store(CROWDED.load(Relaxed), Relaxed);
}

/// To be given to the detector.
pub extern "C" fn observe(observed: &Observed) {
    CROWDED.fetch_max(observed.crowded, Relaxed);
    let is_lock = LOCK.iter().any(|lock| lock.load(Relaxed) & !7 == observed.word);
    if is_lock && !observed.is_data_race {
        return;
    }
    let Some(word) = location(observed.word) else {
        if COUNT_ELSEWHERE.fetch_add(1, Relaxed) == 0 {
            ELSEWHERE.fill(observed.word, observed);
        }
        return;
    };
    if let Some(cell) = RECORDS.get(COUNT.fetch_add(1, Relaxed)) {
        cell.fill(word, observed);
    }
    let badness = if observed.is_data_race { DATA_RACE } else { ORDER_DEPENDENT };
    for location in bytes_of(word, observed.bytes) {
        WORST[location].fetch_max(badness, Relaxed);
    }
}

/// The location at an address, if there is one.
fn location(address: usize) -> Option<usize> {
    let offset = address.wrapping_sub(ARRAY.load(Relaxed));
    if offset < WORDS * 8 {
        return Some(offset);
    }
    let (slot, offset) = slot_around(address)?;
    Some(Object::Slot(slot).location() + offset)
}

/// The locations of some bytes of a word.
pub(crate) fn bytes_of(word: usize, bytes: u8) -> impl Iterator<Item = usize> {
    (0..8).filter(move |bit| bytes >> bit & 1 == 1).map(move |bit| word + bit)
}

/// What was heard since the run began. It must be over.
pub fn heard() -> Heard {
    let class = |worst: &AtomicU8| match worst.load(Relaxed) {
        GOOD => None,
        ORDER_DEPENDENT => Some(Class::OrderDependent),
        _ => Some(Class::DataRace),
    };
    let conflicts = COUNT.load(Relaxed);
    let is_elsewhere = COUNT_ELSEWHERE.load(Relaxed) > 0;
    Heard {
        worst: WORST.iter().map(class).collect(),
        records: RECORDS[..conflicts.min(KEPT)].iter().map(Cell::record).collect(),
        elsewhere: is_elsewhere.then(|| ELSEWHERE.record()),
        is_crowded: CROWDED.load(Relaxed) > CROWDED_BEFORE.load(Relaxed),
        conflicts,
    }
}

/// The code of the conflicts that were heard of since the run began.
pub fn pcs() -> Vec<[usize; 2]> {
    heard().records.iter().map(|record| record.pcs).collect()
}
