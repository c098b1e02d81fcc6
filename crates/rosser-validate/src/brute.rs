//! What the paper's theorems claim, decided by going through everything: for small executions.
//!
//! It knows the axioms and nothing of graphs: threads go on in their order (A4), forks and joins are obeyed (A5), no P
//! completes before enough Vs have (A6), and no event ends before an event starts that it depends on (A3). What global
//! time is made of are the starts and ends of computation events; synchronisation happens at one moment.
//!
//! What prediction claims is decided by taking the recorded actions in every order in which each read finds what it found.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::events::{EventId, Events};
use crate::execution::{self, Act, ActionId, Execution, Flag, Lock, Thread};
use crate::witness::Machine;

/// Whether two events overlapped, by the recorded order.
pub fn overlapped(events: &Events, a: EventId, b: EventId) -> bool {
    let (a, b) = (events.get(a), events.get(b));
    a.thread != b.thread && a.first < b.last && b.first < a.last
}

/// The pairs of computation events that overlap in some execution with the same events and the given dependences; none
/// if there are more than `most` states to go through.
pub fn can_overlap(
    execution: &Execution,
    events: &Events,
    dependences: &[(EventId, EventId)],
    most: u64,
) -> Option<FxHashSet<(EventId, EventId)>> {
    let mut search = Search::new(execution, events, dependences);
    let states = search.chains.iter().try_fold(1u64, |all, chain| {
        all.checked_mul(chain.len() as u64 + 1).filter(|all| *all <= most)
    });
    states?;
    search.goes_to_the_end(&mut vec![0; execution.thread_count()]);
    Some(search.overlaps)
}

/// The pairs of accesses that race and can both be next in some order of the recorded actions in which each read finds
/// what it found; none if there are more than `most` states.
pub fn can_be_next(execution: &Execution, most: usize) -> Option<FxHashSet<(ActionId, ActionId)>> {
    let recorded = crate::witness::recorded_contents(execution);
    let mut seen = FxHashSet::default();
    let mut races = FxHashSet::default();
    let mut work = vec![Machine::new(execution, &recorded)];
    while let Some(machine) = work.pop() {
        if !seen.insert(machine.state()) {
            continue;
        }
        if seen.len() > most {
            return None;
        }
        let mut next = Vec::new();
        for thread in 0..execution.thread_count() as u32 {
            let Some(id) = machine.next_of(Thread(thread)) else { continue };
            next.push(id);
            let mut after = machine.clone();
            if after.take(id).is_ok() {
                work.push(after);
            }
        }
        for a in &next {
            for b in next.iter().filter(|b| a < b) {
                let touched = |id: &ActionId| execution.action(*id).act.touched();
                if let (Some((word, one)), Some((other_word, other))) = (touched(a), touched(b))
                    && word == other_word
                    && execution::race(one, other)
                {
                    races.insert((*a, *b));
                }
            }
        }
    }
    Some(races)
}

/// A moment of an event.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moment {
    Start(EventId),
    End(EventId),
    Whole(EventId, Act),
}

struct Search<'a> {
    execution: &'a Execution,
    chains: Vec<Vec<Moment>>,
    /// For each event where in its thread's chain it starts.
    starts: Vec<(Thread, usize)>,
    /// For each event those that it depends on: they must have started before it ends.
    needs: Vec<Vec<EventId>>,
    /// Which states lead to the end of all threads.
    known: FxHashMap<Vec<u16>, bool>,
    overlaps: FxHashSet<(EventId, EventId)>,
}

impl<'a> Search<'a> {
    fn new(execution: &'a Execution, events: &Events, dependences: &[(EventId, EventId)]) -> Self {
        let mut chains = vec![Vec::new(); execution.thread_count()];
        let mut starts = Vec::new();
        for event in events.ids() {
            let it = events.get(event);
            let chain = &mut chains[it.thread.index()];
            starts.push((it.thread, chain.len()));
            let act = execution.action(it.first).act;
            if act.is_computation() {
                chain.extend([Moment::Start(event), Moment::End(event)]);
            } else {
                chain.push(Moment::Whole(event, act));
            }
        }
        let mut needs = vec![Vec::new(); events.len()];
        for (from, to) in dependences {
            needs[to.index()].push(*from);
        }
        let (known, overlaps) = Default::default();
        Self { execution, chains, starts, needs, known, overlaps }
    }

    /// Whether a state can go on to where all events have happened. Notes what overlaps in such states.
    fn goes_to_the_end(&mut self, at: &mut Vec<u16>) -> bool {
        if let Some(known) = self.known.get(at) {
            return *known;
        }
        let mut result =
            at.iter().zip(&self.chains).all(|(at, chain)| usize::from(*at) == chain.len());
        for thread in 0..at.len() {
            if self.can_go_on(at, thread) {
                at[thread] += 1;
                result |= self.goes_to_the_end(at);
                at[thread] -= 1;
            }
        }
        self.known.insert(at.clone(), result);
        if result {
            let open: Vec<EventId> = (0..at.len())
                .filter_map(|thread| match self.chains[thread].get(usize::from(at[thread])) {
                    Some(Moment::End(event)) => Some(*event),
                    _ => None,
                })
                .collect();
            for a in &open {
                for b in open.iter().filter(|b| a < b) {
                    self.overlaps.insert((*a, *b));
                }
            }
        }
        result
    }

    fn can_go_on(&self, at: &[u16], thread: usize) -> bool {
        let Some(&next) = self.chains[thread].get(usize::from(at[thread])) else { return false };
        if at[thread] == 0 && !self.is_forked(at, Thread(thread as u32)) {
            return false;
        }
        let started = |event: &EventId| {
            let (thread, place) = self.starts[event.index()];
            usize::from(at[thread.index()]) > place
        };
        match next {
            Moment::Start(_) => true,
            Moment::End(event) => self.needs[event.index()].iter().all(started),
            Moment::Whole(event, act) => {
                self.needs[event.index()].iter().all(started) && self.act_can_go_on(at, thread, act)
            }
        }
    }

    fn act_can_go_on(&self, at: &[u16], thread: usize, act: Act) -> bool {
        match act {
            Act::Join(child) => {
                self.is_forked(at, child)
                    && usize::from(at[child.index()]) == self.chains[child.index()].len()
            }
            Act::Get(flag) => self.is_set(at, flag),
            Act::Wait(semaphore) => {
                let mut count = i64::from(self.execution.semaphores()[semaphore.0 as usize]);
                self.past(at, |_, act| match act {
                    Act::Signal(other) if other == semaphore => count += 1,
                    Act::Wait(other) if other == semaphore => count -= 1,
                    _ => {}
                });
                count > 0
            }
            Act::Acquire { lock, shared } => {
                let open = self.open_sections(at, lock);
                open.iter().all(|(other, also_shared)| *other == thread || (shared && *also_shared))
            }
            _ => true,
        }
    }

    /// Tells all synchronisation that has happened in a state.
    fn past(&self, at: &[u16], mut tell: impl FnMut(usize, Act)) {
        for (thread, chain) in self.chains.iter().enumerate() {
            for moment in &chain[..usize::from(at[thread])] {
                if let Moment::Whole(_, act) = moment {
                    tell(thread, *act);
                }
            }
        }
    }

    fn is_forked(&self, at: &[u16], thread: Thread) -> bool {
        let is_fork = |act: Act| act == Act::Fork(thread);
        let has_fork = self.execution.actions().iter().any(|action| is_fork(action.act));
        let mut forked = !has_fork;
        self.past(at, |_, act| forked |= is_fork(act));
        forked
    }

    fn is_set(&self, at: &[u16], flag: Flag) -> bool {
        let mut is_set = false;
        self.past(at, |_, act| is_set |= act == Act::Set(flag));
        is_set
    }

    fn open_sections(&self, at: &[u16], lock: Lock) -> Vec<(usize, bool)> {
        let mut open = Vec::new();
        self.past(at, |thread, act| match act {
            Act::Acquire { lock: other, shared } if other == lock => open.push((thread, shared)),
            Act::Release(other) if other == lock => open.retain(|(other, _)| *other != thread),
            _ => {}
        });
        open
    }
}
