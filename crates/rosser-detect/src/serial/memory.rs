//! The memory an engine lives in.

use crate::order::{GeneralStorage, JoinStorage, Span};
use crate::serial::compaction::InUse;
use crate::serial::crowds::Crowd;
use crate::serial::readers::Reader;
use crate::serial::records::Record;
use crate::serial::running::{Frame, Scope};
use crate::serial::weak::{Found, Knowledge, Node};

/// The memory an engine lives in; the length of each slice is a limit.
#[derive(Debug)]
pub struct Storage {
    /// One word per remembered access, beginning and end of a task.
    pub log: &'static mut [u32],
    /// One per parallel or serial span.
    pub spans: &'static mut [Span],
    /// One per release and acquire.
    pub knowledge: &'static mut [Node],
    /// For searches in the knowledge.
    pub to_visit: &'static mut [(Knowledge, u32)],
    /// For answers of such searches.
    pub found: &'static mut [Found],
    /// One per word with atomic accesses.
    pub records: &'static mut [Record],
    /// One per running task.
    pub frames: &'static mut [Frame],
    /// One per open scope.
    pub scopes: &'static mut [Scope],
    /// Six accesses each, to words with many of them, as long as the order is general.
    pub crowds: &'static mut [Crowd],
    /// One per reader of words with many of them, likewise; words can share it.
    pub readers: &'static mut [Reader],
    /// For tasks that wait, and promises.
    pub general: GeneralStorage,
    /// For finding the ids in use.
    pub in_use: InUse,
}

impl Storage {
    /// Storage from the heap, never freed; for tests.
    pub fn leaked(log: usize, other: usize) -> Self {
        fn leak<T: Clone + Default>(len: usize) -> &'static mut [T] {
            vec![T::default(); len].leak()
        }
        Self {
            log: leak(log),
            spans: leak(other),
            knowledge: leak(other),
            to_visit: leak(other),
            found: leak(256),
            records: leak(other),
            frames: leak(other),
            scopes: leak(other),
            crowds: leak(other),
            readers: leak(4 * other),
            general: GeneralStorage {
                english: leak(4 * other),
                hebrew: leak(4 * other),
                runs: leak(4 * other),
                points: leak(other),
                tasks: leak(other),
                scopes: leak(other),
                loose: leak(other),
                joins: JoinStorage {
                    joins: leak(2 * other),
                    to_visit: leak(4 * other),
                    sources: leak(2 * other),
                    leaves: leak(4 * other),
                    nodes: leak(16 * other),
                    bounds: leak(64 + other / 16),
                    answers: leak(4096),
                },
            },
            in_use: InUse::new(leak(log / 64 + 1), leak(log / 64 + 1), leak(other)),
        }
    }
}
