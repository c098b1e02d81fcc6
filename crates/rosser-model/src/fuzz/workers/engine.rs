//! The engine's workers, and the cells of a run.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, AtomicU64};

use rosser_detect::sf_order::cell::{BLOCK, Block};
use rosser_detect::sf_order::log::{CHUNK, LogStorage};
use rosser_detect::sf_order::order::ListStorage;
use rosser_detect::sf_order::records::Slot;
use rosser_detect::sf_order::shared::{Shared, Storage};
use rosser_detect::sf_order::strands::StrandStorage;
use rosser_detect::sf_order::worker::Worker;

/// How many workers there are at most.
pub const WORKERS: usize = 4;

/// The workers, whose memory is never freed.
pub struct Team {
    pub shared: &'static Shared,
    pub workers: Vec<Worker>,
}

thread_local! {
    pub static TEAM: RefCell<Team> = RefCell::new(Team::new());
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

    /// Forgets everything.
    pub fn restart(&mut self) {
        self.shared.begin_anew();
        self.workers.iter_mut().for_each(Worker::enter_region);
    }

    /// How often the workers have left an access out.
    pub fn crowded(&self) -> u64 {
        self.workers.iter().map(|worker| worker.counts.crowded).sum()
    }
}

/// Cells, whose addresses do not change while there are more.
#[derive(Default)]
#[allow(clippy::vec_box, reason = "the engine remembers addresses of cells")]
pub struct Cells(Vec<Box<Block>>);

impl Cells {
    /// The block of a cell.
    pub fn block(&mut self, index: usize) -> &Block {
        let block = index / BLOCK;
        self.0.resize_with(self.0.len().max(block + 1), Box::default);
        &self.0[block]
    }
}
