//! One linear order of what threads did, each by itself.
//!
//! Thread 0 is there from the start. Another can go on when it was started, when the operation that it made is the next on its object, when the flag that
//! it got is set, and when the thread that it joined has ended. If some part is missing, what waits for it is left out;
//! so is what comes after that. Threads of which something is missing are named in the execution.

use rosser_validate::{Act, Execution, Thread};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::records::{Object, Record, object};

/// What came of merging.
pub struct Merged {
    /// In one order.
    pub execution: Execution,
    /// For each thread of the execution, its number in the trace.
    pub threads: Vec<u32>,
    /// How many records had to be left out.
    pub left_out: usize,
}

/// Merges what threads did. Threads get new, dense numbers, in the order of their numbers in the trace.
pub fn merge(semaphores: &[u32], mut all: Vec<(u32, Vec<Record>)>) -> Merged {
    all.sort_by_key(|(thread, _)| *thread);
    let mut merge = Merge {
        execution: Execution::new(),
        numbers: FxHashMap::default(),
        next: FxHashMap::default(),
        set: FxHashSet::default(),
        forked: FxHashSet::default(),
        ended: vec![false; all.len()],
    };
    for initial in semaphores {
        merge.execution.semaphore(*initial);
    }
    for (at, (thread, _)) in all.iter().enumerate() {
        merge.numbers.insert(*thread, Thread(at as u32));
    }
    let mut cursors = vec![0; all.len()];
    let mut moved = true;
    while moved {
        moved = false;
        for (at, (thread, records)) in all.iter().enumerate() {
            if *thread != 0 && !merge.forked.contains(thread) {
                continue;
            }
            while let Some(record) = records.get(cursors[at]) {
                if !merge.take(at, *record, semaphores.len()) {
                    break;
                }
                cursors[at] += 1;
                moved = true;
            }
        }
    }
    let is_whole = |at: usize, records: &[Record]| {
        cursors[at] == records.len() && records.last() == Some(&Record::End)
    };
    merge.execution.incomplete = (0..all.len())
        .filter(|at| !is_whole(*at, &all[*at].1))
        .map(|at| Thread(at as u32))
        .filter(|thread| thread.index() < merge.execution.thread_count())
        .collect();
    let left_out = all.iter().zip(&cursors).map(|((_, records), done)| records.len() - done).sum();
    let threads = all.iter().map(|(thread, _)| *thread).collect();
    Merged { execution: merge.execution, threads, left_out }
}

struct Merge {
    execution: Execution,
    /// From numbers of the trace to those of the execution.
    numbers: FxHashMap<u32, Thread>,
    /// Which operation comes next on each object.
    next: FxHashMap<Object, u64>,
    set: FxHashSet<u64>,
    /// Threads that were started, by their numbers in the trace.
    forked: FxHashSet<u32>,
    ended: Vec<bool>,
}

impl Merge {
    /// Takes what a thread did next, if it can be next.
    fn take(&mut self, thread: usize, record: Record, semaphores: usize) -> bool {
        let Record::Act { act, site, group, number } = record else {
            self.ended[thread] = true;
            return true;
        };
        let act = match act {
            Act::Fork(child) | Act::Join(child) => {
                let Some(&dense) = self.numbers.get(&child.0) else { return false };
                if matches!(act, Act::Fork(_)) {
                    self.forked.insert(child.0);
                    Act::Fork(dense)
                } else if self.ended[dense.index()] && dense.index() != thread {
                    Act::Join(dense)
                } else {
                    return false;
                }
            }
            Act::Get(flag) if !self.set.contains(&flag.0) => return false,
            Act::Signal(it) | Act::Wait(it) if it.0 as usize >= semaphores => return false,
            other => other,
        };
        if let (Some(object), Some(number)) = (object(act), number) {
            let next = self.next.entry(object).or_default();
            if *next != number {
                return false;
            }
            *next += 1;
        }
        if let Act::Set(flag) = act {
            self.set.insert(flag.0);
        }
        self.execution.push(Thread(thread as u32), act, site, group);
        true
    }
}
