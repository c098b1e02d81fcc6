//! Random executions for tests: threads that do random things, taken in random order.

use rosser_detect::{Access, Operator};

use crate::execution::{
    Act, Execution, Flag, Group, Lock, Ordering, Semaphore, Site, Thread, Word,
};

/// A small generator of random numbers (splitmix64).
pub struct Rng(pub u64);

impl Rng {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

/// What executions are made up of.
#[derive(Clone, Copy)]
#[allow(clippy::struct_excessive_bools)] // Each is a kind that is there or not.
pub struct Kinds {
    pub semaphores: bool,
    pub locks: bool,
    pub atomics: bool,
    pub updates: bool,
    pub flags: bool,
}

impl Kinds {
    pub const ALL: Self =
        Self { semaphores: true, locks: true, atomics: true, updates: true, flags: true };
    pub const PAPER: Self =
        Self { semaphores: true, locks: false, atomics: false, updates: false, flags: false };
}

/// What a thread is going to do.
#[derive(Clone, Copy)]
enum Plan {
    Act(Act),
    /// An atomic operation, whose values turn out when it is done: an exchange, a load, a store.
    Exchange(Word, u64),
    Load(Word),
    Store(Word, u64),
}

fn acquire() -> Act {
    Act::Acquire { lock: Lock(0), shared: false }
}

/// A random execution. Main forks all threads and joins them.
pub fn execution(
    rng: &mut Rng,
    kinds: Kinds,
    most_threads: usize,
    most_actions: usize,
) -> Execution {
    let mut execution = Execution::new();
    let semaphores: Vec<Semaphore> =
        (0..2).map(|_| execution.semaphore(rng.below(2) as u32)).collect();
    let threads = 2 + rng.below(most_threads - 1);
    let words = 1 + rng.below(3);
    let mut plans: Vec<Vec<Plan>> = vec![Vec::new()];
    let children = 1..=threads as u32;
    plans[0].extend(children.clone().map(|child| Plan::Act(Act::Fork(Thread(child)))));
    plans[0].extend(children.map(|child| Plan::Act(Act::Join(Thread(child)))));
    for _ in 0..threads {
        let length = 1 + rng.below(most_actions);
        let mut own = Vec::new();
        while own.len() < length {
            plan_one(rng, kinds, &semaphores, words, &mut own);
        }
        plans.push(own);
    }
    run(rng, &mut execution, &plans);
    execution
}

fn plan_one(
    rng: &mut Rng,
    kinds: Kinds,
    semaphores: &[Semaphore],
    words: usize,
    plan: &mut Vec<Plan>,
) {
    let word = Word(rng.below(words) as u64);
    let touch = |access| Plan::Act(Act::Access { word, access, value: None });
    match rng.below(12) {
        0 if kinds.semaphores => plan.push(Plan::Act(Act::Wait(semaphores[rng.below(2)]))),
        1 | 2 if kinds.semaphores => plan.push(Plan::Act(Act::Signal(semaphores[rng.below(2)]))),
        3 if kinds.locks => {
            let shared = rng.below(4) == 0;
            plan.push(Plan::Act(Act::Acquire { lock: Lock(0), shared }));
            for _ in 0..rng.below(3) {
                plan.push(touch(if rng.below(2) == 0 { Access::Read } else { Access::Write }));
            }
            plan.push(Plan::Act(Act::Release(Lock(0))));
        }
        4 | 5 if kinds.atomics => {
            let word = Word(100 + rng.below(2) as u64);
            let value = rng.below(2) as u64;
            plan.push(match rng.below(3) {
                0 => Plan::Exchange(word, value),
                1 => Plan::Load(word),
                _ => Plan::Store(word, value),
            });
        }
        6 if kinds.updates => {
            let operators = [Operator::Add, Operator::Add, Operator::Mul];
            plan.push(touch(Access::Update(operators[rng.below(3)])));
        }
        7 if kinds.flags && rng.below(2) == 0 => plan.push(Plan::Act(Act::Set(Flag(0)))),
        7 if kinds.flags => plan.push(Plan::Act(Act::Get(Flag(0)))),
        8 | 9 => plan.push(touch(Access::Write)),
        _ => plan.push(touch(Access::Read)),
    }
}

/// Runs plans in random order, until nobody can go on.
fn run(rng: &mut Rng, execution: &mut Execution, plans: &[Vec<Plan>]) {
    let mut at = vec![0; plans.len()];
    let mut forked = vec![false; plans.len()];
    forked[0] = true;
    let mut counts = execution.semaphores().to_vec();
    let mut holders: Vec<(usize, bool)> = Vec::new();
    let mut is_set = false;
    let mut memory = std::collections::HashMap::new();
    let mut group = 0;
    loop {
        let ready: Vec<usize> = (0..plans.len())
            .filter(|thread| forked[*thread])
            .filter(|thread| match plans[*thread].get(at[*thread]) {
                Some(Plan::Act(act)) => match *act {
                    Act::Wait(semaphore) => counts[semaphore.0 as usize] > 0,
                    Act::Acquire { shared, .. } => {
                        holders.iter().all(|(_, other)| shared && *other)
                    }
                    Act::Get(_) => is_set,
                    Act::Set(_) => !is_set,
                    Act::Join(child) => at[child.index()] == plans[child.index()].len(),
                    _ => true,
                },
                Some(_) => true,
                None => false,
            })
            .collect();
        if ready.is_empty() {
            return;
        }
        let thread = ready[rng.below(ready.len())];
        let ordering = Ordering { acquire: true, release: rng.below(3) > 0 };
        let mut touch = |word: Word, left: Option<u64>| {
            let found = memory.get(&word).copied().unwrap_or(0);
            if let Some(value) = left {
                memory.insert(word, value);
            }
            found
        };
        let act = match plans[thread][at[thread]] {
            Plan::Act(act) => act,
            Plan::Exchange(word, value) => {
                let found = Some(touch(word, Some(value)));
                Act::Atomic { word, found, left: Some(value), ordering }
            }
            Plan::Load(word) => {
                Act::Atomic { word, found: Some(touch(word, None)), left: None, ordering }
            }
            Plan::Store(word, value) => {
                touch(word, Some(value));
                Act::Atomic { word, found: None, left: Some(value), ordering }
            }
        };
        match act {
            Act::Fork(child) => forked[child.index()] = true,
            Act::Wait(semaphore) => counts[semaphore.0 as usize] -= 1,
            Act::Signal(semaphore) => counts[semaphore.0 as usize] += 1,
            Act::Acquire { shared, .. } => holders.push((thread, shared)),
            Act::Release(_) => holders.retain(|(other, _)| *other != thread),
            Act::Set(_) => is_set = true,
            _ => {}
        }
        at[thread] += 1;
        if rng.below(2) == 0 {
            group += 1;
        }
        // Of half of the accesses, one joins the event of the one before it in its thread.
        let belongs = Group(if rng.below(2) == 0 { thread as u32 } else { 100 + group });
        execution.push(Thread(thread as u32), act, Site(at[thread] as u32), belongs);
    }
}

/// An execution of a few threads that exist from the start, in the order given: thread, word, whether it writes.
pub fn plain(steps: &[(u32, u64, bool)]) -> Execution {
    let mut execution = Execution::new();
    for (number, (thread, word, writes)) in steps.iter().enumerate() {
        let access = if *writes { Access::Write } else { Access::Read };
        let act = Act::Access { word: Word(*word), access, value: None };
        let number = number as u32;
        execution.push(Thread(*thread), act, Site(number), Group(number));
    }
    execution
}

/// A section that excludes others.
pub fn lock(execution: &mut Execution, thread: u32, body: &[Act]) {
    let mut all = vec![acquire()];
    all.extend(body);
    all.push(Act::Release(Lock(0)));
    for act in all {
        execution.push(Thread(thread), act, Site(0), Group(0));
    }
}
