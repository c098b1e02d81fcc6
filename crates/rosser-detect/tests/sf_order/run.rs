//! A worker, or two, whose tasks a test runs in any order.

use std::sync::atomic::{AtomicU32, AtomicU64};

use rosser_detect::kind::Kind;
use rosser_detect::sf_order::cell::Block;
use rosser_detect::sf_order::log::{CHUNK, LogStorage};
use rosser_detect::sf_order::order::ListStorage;
use rosser_detect::sf_order::shared::{Shared, Storage};
use rosser_detect::sf_order::strands::StrandStorage;
use rosser_detect::sf_order::worker::{Ended, Scope, ScopeId, Start, Worker};

const MANY: usize = 1 << 14;

/// The scope that a run begins with.
const OUTERMOST: ScopeId = 1;

fn new<T: Default>() -> &'static [T] {
    (0..MANY).map(|_| T::default()).collect::<Vec<_>>().leak()
}

/// One worker, which runs tasks in any order, and a few words.
pub struct Run {
    pub worker: Worker,
    scope: Scope,
    pub words: Block,
}

impl Run {
    pub fn new() -> Self {
        let storage = Storage {
            log: LogStorage {
                words: new::<AtomicU64>(),
                times: new::<AtomicU32>(),
                owners: &new()[..MANY / CHUNK as usize],
            },
            strands: StrandStorage {
                english: ListStorage { links: new(), groups: new() },
                hebrew: ListStorage { links: new(), groups: new() },
                tasks: new::<AtomicU32>(),
            },
            tasks: new(),
            futures: new::<AtomicU64>(),
            sets: new::<AtomicU64>(),
            records: new(),
            knowledge: new(),
            bounds: new::<AtomicU32>(),
        };
        let mut worker = Worker::new(Box::leak(Box::new(Shared::new(storage, 2, true))), 0);
        let scope = worker.scope_begin(OUTERMOST).unwrap();
        Self { worker, scope, words: Block::default() }
    }

    /// Writes a word. Returns whether that is in conflict with anything.
    pub fn write(&mut self, word: usize) -> bool {
        self.write_bytes(word, 0xff)
    }

    /// Writes some bytes of a word, likewise.
    pub fn write_bytes(&mut self, word: usize, bytes: u8) -> bool {
        let id = self.worker.id_of(1).unwrap();
        self.worker.write(&mut self.words.lock(), word, Kind::Write, bytes, id).unwrap();
        let is_in_conflict = self.worker.has_conflicts();
        while self.worker.take_conflict().is_some() {}
        is_in_conflict
    }

    pub fn future(&mut self) -> Start {
        self.worker.spawn_future(0, 0).unwrap()
    }

    pub fn spawn(&mut self) -> Start {
        self.worker.spawn(Some(OUTERMOST), 0, 0).unwrap()
    }

    pub fn run<R>(&mut self, start: &Start, body: impl FnOnce(&mut Self) -> R) -> (R, Ended) {
        let outer = self.worker.begin(start).unwrap();
        let result = body(self);
        let ended = self.worker.end(outer).unwrap();
        self.worker.absorb(&self.scope, start, ended).unwrap();
        (result, ended)
    }

    pub fn get(&mut self, start: &Start, ended: Ended) {
        assert!(self.worker.may_get(start));
        self.worker.get(start, ended).unwrap();
    }

    pub fn end(&mut self) {
        self.worker.scope_end(&self.scope).unwrap();
    }

    /// Another worker, which does nothing yet.
    pub fn another_worker(&self) -> Worker {
        Worker::new(self.worker.shared(), 1)
    }

    /// Whether others stand for a read of some bytes.
    pub fn is_stood_in_for(&mut self, word: usize, bytes: u8) -> bool {
        self.worker.is_stood_in_for(self.words.cell(word), bytes)
    }

    /// Forgets some bytes.
    pub fn forget(&mut self, word: usize, bytes: u8) {
        self.worker.forget_bytes(&mut self.words.lock(), word, bytes).unwrap();
    }

    /// Reads some bytes, which must be in conflict with nothing.
    pub fn read(&mut self, word: usize, bytes: u8) {
        read(&mut self.worker, &self.words, word, bytes);
    }
}

/// A worker reads some bytes, which must be in conflict with nothing.
pub fn read(worker: &mut Worker, words: &Block, word: usize, bytes: u8) {
    let id = worker.id_of(2).unwrap();
    worker.read(&mut words.lock(), word, bytes, id).unwrap();
    assert!(!worker.has_conflicts());
}
