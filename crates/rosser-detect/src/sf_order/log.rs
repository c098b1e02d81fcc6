//! Ids of accesses: who made it and where, in 32 bits.
//!
//! An id is a place in a log with one word for each pair of strand and site. Each worker takes a chunk of
//! ids at a time, so that its ids grow with time, and those of its present step are a range.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};

use crate::serial::log::Site;
use crate::storage::Exhausted;

use crate::sf_order::strands::Strand;
use crate::sf_order::weak::Knowledge;

/// An access as it is remembered; 0 is none.
pub type Id = u32;

/// How many ids a worker takes at once.
pub const CHUNK: u32 = 1024;

/// The memory of a log.
#[derive(Debug)]
pub struct LogStorage {
    /// One for each id.
    pub words: &'static [AtomicU64],
    /// One for each id.
    pub times: &'static [AtomicU32],
    /// One for each chunk.
    pub owners: &'static [AtomicU32],
}

/// All ids. Relaxed: what an id means is written by its worker before the id is put into a cell (S1), and chunks need
/// only be different.
#[derive(Debug)]
pub struct Log {
    storage: LogStorage,
    /// The number of the next chunk to give out.
    next: AtomicU32,
}

/// The ids that a worker may give out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chunk {
    /// The next id to give out.
    pub next: Id,
    /// The first that it may not give out.
    pub end: Id,
}

impl Log {
    /// An empty log.
    pub fn new(storage: LogStorage) -> Self {
        Self { storage, next: AtomicU32::new(1) }
    }

    /// Another chunk for a worker.
    pub fn take_chunk(&self, worker: u32) -> Result<Chunk, Exhausted> {
        let chunk = self.next.fetch_add(1, Relaxed);
        let owner = self.storage.owners.get(chunk as usize).ok_or(Exhausted)?;
        owner.store(worker, Relaxed);
        Ok(Chunk { next: chunk * CHUNK, end: (chunk + 1) * CHUNK })
    }

    /// The first id that nobody has yet.
    pub fn first_free(&self) -> Id {
        self.next.load(Relaxed).saturating_mul(CHUNK)
    }

    /// The number of ids that there is memory for.
    pub fn capacity(&self) -> u32 {
        u32::try_from(self.storage.words.len()).unwrap_or(u32::MAX)
    }

    /// Begins anew: no id is remembered anywhere.
    pub fn clear(&self) {
        self.next.store(1, Relaxed);
    }

    /// Says what an id means. `now` is the newest knowledge there is.
    #[inline]
    pub fn set(&self, id: Id, strand: Strand, site: Site, now: Knowledge) {
        let word = u64::from(strand) << 32 | u64::from(site);
        self.storage.words[id as usize].store(word, Relaxed);
        self.storage.times[id as usize].store(now, Relaxed);
    }

    /// Who made an access.
    #[inline]
    pub fn strand(&self, id: Id) -> Strand {
        (self.storage.words[id as usize].load(Relaxed) >> 32) as Strand
    }

    /// Where it was made.
    pub fn site(&self, id: Id) -> Site {
        self.storage.words[id as usize].load(Relaxed) as Site
    }

    /// Knowledge up to this one is older than the access.
    pub fn time(&self, id: Id) -> Knowledge {
        self.storage.times[id as usize].load(Relaxed)
    }

    /// The worker that made an access.
    pub fn worker(&self, id: Id) -> u32 {
        self.storage.owners[(id / CHUNK) as usize].load(Relaxed)
    }
}
