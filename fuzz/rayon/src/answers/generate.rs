//! Random programs.
//!
//! Most are small, so that what is wrong with one can be understood; some have a few hundred tasks. Words of
//! the array differ in what is done to them, so that data races, conflicts of atomics and no conflicts at all
//! are common. Tasks are spawned into any open scope, and not only into the innermost.

use rosser_model::fuzz::Rng;

use crate::program::{
    Access, Block, Handed, LOCKS, Lock, Object, Op, PLACES, Program, SCOPES, SLOT_WORDS, SLOTS,
    Scope, Site, Slot, Statement, View, WORDS, Width,
};

/// One program in so many is large.
const LARGE: usize = 16;

/// How much larger it is.
const LARGER: usize = 16;

/// How deep statements are nested.
const DEEPEST: usize = 9;

/// Pauses are shorter than this, in microseconds.
const LONGEST_PAUSE: u64 = 30;

/// Makes up a program of about `size` statements at the most, if it is not one of the large ones.
pub fn generate(rng: &mut Rng, size: usize) -> Program {
    let size = if rng.chance(1, LARGE) { size * LARGER } else { size };
    let has_locks = rng.chance(1, 4);
    let words = (0..=rng.below(WORDS)).map(|_| Habit::new(rng, has_locks)).collect();
    let mut generator = Generator {
        budget: 3 + rng.below(size.max(1)),
        words,
        sparseness: 2 + rng.below(4),
        has_crowds: rng.chance(1, 6),
        has_pauses: rng.chance(1, 4),
        scopes: 0,
        slots: 0,
        spawns: 0,
        accesses: 0,
        rng,
    };
    // Else there are several regions, one after the other.
    let is_one_region = generator.rng.chance(3, 4);
    let (scope, mut view) = (generator.scope(), View::default());
    if is_one_region {
        view = view.with_scope(scope);
    }
    let mut main = Vec::new();
    while generator.budget > 0 {
        main.extend(generator.block(&view, 0));
    }
    if is_one_region {
        main = vec![Statement::Scope(scope, main)];
    }
    Program { main }
}

/// What is done to a word.
#[derive(Clone, Copy, Debug)]
struct Habit {
    ops: &'static [Op],
    /// Of which it is locked for most accesses.
    lock: Option<Lock>,
    /// Whether accesses are of any width. Else it is always the same.
    width: Option<Width>,
}

impl Habit {
    fn new(rng: &mut Rng, has_locks: bool) -> Self {
        let ops: &[Op] = match rng.below(8) {
            0..3 => &[Op::Read, Op::Write],
            3..5 => &[Op::Read, Op::Read, Op::Read, Op::Read, Op::Read, Op::Read, Op::Write],
            5 => &[Op::Load, Op::Store, Op::Swap, Op::Add, Op::Or, Op::Fetch],
            6 => &[Op::Add, Op::Add, Op::Add, Op::Add, Op::Add, Op::Fetch, Op::Load, Op::Or],
            _ => &Op::ALL,
        };
        let lock = (has_locks && rng.chance(1, 2)).then(|| Lock(rng.below(LOCKS)));
        let width = rng.chance(1, 2).then(|| *rng.pick(&Width::ALL));
        Self { ops, lock, width }
    }
}

struct Generator<'r> {
    rng: &'r mut Rng,
    /// How many statements may come.
    budget: usize,
    words: Vec<Habit>,
    /// One statement in so many is no access.
    sparseness: usize,
    has_crowds: bool,
    has_pauses: bool,
    scopes: usize,
    slots: usize,
    spawns: usize,
    accesses: usize,
}

impl Generator<'_> {
    fn scope(&mut self) -> Scope {
        self.scopes += 1;
        Scope(self.scopes - 1)
    }

    fn spawn(&mut self, scope: Scope, body: Block) -> Statement {
        self.spawns += 1;
        Statement::Spawn(scope, self.spawns - 1, body)
    }

    /// Some statements, at least one.
    fn block(&mut self, view: &View, depth: usize) -> Block {
        let count = 1 + self.rng.below(4);
        let mut block = Vec::new();
        for _ in 0..count {
            if block.is_empty() || self.budget > 0 {
                self.budget = self.budget.saturating_sub(1);
                if self.has_pauses && self.rng.chance(1, 4) {
                    block.push(self.pause());
                }
                block.push(self.statement(view, depth));
                if self.rng.chance(1, 6) {
                    self.repeat(&mut block);
                }
            }
        }
        block
    }

    /// Makes the last access of a block again, by the same code.
    fn repeat(&mut self, block: &mut Block) {
        if let Some(Statement::Access(last)) = block.last().cloned() {
            for _ in 0..=self.rng.below(3) {
                if self.has_pauses && self.rng.chance(1, 2) {
                    block.push(self.pause());
                }
                block.push(Statement::Access(last));
            }
        }
    }

    fn statement(&mut self, view: &View, depth: usize) -> Statement {
        let is_access = self.rng.chance(self.sparseness - 1, self.sparseness + 1);
        if is_access || depth == DEEPEST {
            return self.access(view);
        }
        let next = depth + 1;
        match self.rng.below(20) {
            0..4 => Statement::Join(self.block(view, next), self.block(view, next)),
            4..8 if self.scopes < SCOPES => {
                let scope = self.scope();
                let body = self.block(&view.with_scope(scope), next);
                Statement::Scope(scope, body)
            }
            8..15 if !view.scopes.is_empty() => self.any_spawn(view, next),
            15 => {
                let items = 2 + self.rng.below(5);
                Statement::ForEach((0..items).map(|_| self.block(view, next)).collect())
            }
            16 if self.has_crowds => self.crowd(view),
            17 if self.slots < SLOTS => {
                let slot = self.slot();
                Statement::Stack(slot, self.block(&view.with_slot(slot), next))
            }
            18 if self.slots < SLOTS => {
                let slot = self.slot();
                let made = self.handed(view, slot, next);
                let body = self.block(&view.with_slot(slot), next);
                let freed = self.handed(view, slot, next);
                Statement::Heap(slot, made, freed, body)
            }
            _ => self.access(view),
        }
    }

    fn slot(&mut self) -> Slot {
        self.slots += 1;
        Slot(self.slots - 1)
    }

    fn handed(&mut self, view: &View, slot: Slot, depth: usize) -> Handed {
        let own = view.with_slot(slot);
        self.rng.chance(1, 3).then(|| (self.block(&own, depth), self.block(view, depth)))
    }

    /// A task of some scope, often of one further out.
    fn any_spawn(&mut self, view: &View, depth: usize) -> Statement {
        let innermost = view.scopes.len() - 1;
        let is_any = self.rng.chance(1, 2);
        let index = if is_any { self.rng.below(innermost + 1) } else { innermost };
        let scope = view.scopes[index].0;
        let view = view.in_task_of(scope).expect("it is in view");
        let body = self.block(&view, depth);
        self.spawn(scope, body)
    }

    /// Many tasks that do the same: to the same bytes, or to parts of the same word.
    fn crowd(&mut self, view: &View) -> Statement {
        let first = self.plain_access(view);
        let count = 3 + self.rng.below(30);
        let (has_parts, bytes) = (self.rng.chance(1, 2), first.site.width.bytes());
        self.budget = self.budget.saturating_sub(count / 4);
        let items = (0..count).map(|_| {
            let mut accesses = Vec::new();
            for _ in 0..=(if has_parts { self.rng.below(3) } else { 0 }) {
                let within = self.rng.below(8 / bytes) * bytes;
                let offset = if has_parts { first.offset / 8 * 8 + within } else { first.offset };
                let site = Site { place: self.place(), ..first.site };
                accesses.push(Statement::Access(Access { offset, site, ..first }));
            }
            accesses
        });
        Statement::ForEach(items.collect())
    }

    fn pause(&mut self) -> Statement {
        Statement::Pause(self.rng.bits() % LONGEST_PAUSE)
    }

    fn place(&mut self) -> usize {
        self.accesses += 1;
        (self.accesses - 1) % PLACES
    }

    /// An access, or a section with some.
    fn access(&mut self, view: &View) -> Statement {
        let word = self.rng.below(self.words.len());
        if let Some(lock) = self.words[word].lock
            && self.rng.chance(7, 8)
        {
            let mut body = Vec::new();
            if self.has_pauses && self.rng.chance(1, 4) {
                body.push(self.pause());
            }
            body.push(Statement::Access(self.array_access(word)));
            if self.rng.chance(1, 4) {
                body.push(Statement::Access(self.plain_access(view)));
            }
            let is_nested = lock == Lock(0) && self.rng.chance(1, 8);
            if is_nested {
                let inner = self.rng.below(self.words.len());
                let inner = Statement::Access(self.array_access(inner));
                body.push(Statement::Locked(Lock(1), vec![inner]));
            }
            return Statement::Locked(lock, body);
        }
        if !view.slots.is_empty() && self.rng.chance(1, 2) {
            return Statement::Access(self.slot_access(view));
        }
        Statement::Access(self.array_access(word))
    }

    /// An access to something.
    fn plain_access(&mut self, view: &View) -> Access {
        if !view.slots.is_empty() && self.rng.chance(1, 2) {
            return self.slot_access(view);
        }
        let word = self.rng.below(self.words.len());
        self.array_access(word)
    }

    fn slot_access(&mut self, view: &View) -> Access {
        let slot = *self.rng.pick(&view.slots);
        let ops = [Op::Read, Op::Read, Op::Read, Op::Write, Op::Write, Op::Add, Op::Load];
        let (op, width) = (*self.rng.pick(&ops), *self.rng.pick(&Width::ALL));
        let word = self.rng.below(SLOT_WORDS);
        self.access_to(Object::Slot(slot), word, SLOT_WORDS, op, width)
    }

    fn array_access(&mut self, word: usize) -> Access {
        let Habit { ops, width, .. } = self.words[word];
        let op = *self.rng.pick(ops);
        let width = width.unwrap_or_else(|| *self.rng.pick(&Width::ALL));
        self.access_to(Object::Array, word, self.words.len(), op, width)
    }

    /// An access to a word of an object with so many. Some plain ones are not aligned, and may reach into the
    /// next word.
    fn access_to(
        &mut self,
        object: Object,
        word: usize,
        words: usize,
        op: Op,
        width: Width,
    ) -> Access {
        let bytes = width.bytes();
        let is_aligned = op.is_atomic() || self.rng.chance(7, 8);
        let within = if is_aligned { self.rng.below(8 / bytes) * bytes } else { self.rng.below(8) };
        let offset = (word * 8 + within).min(words * 8 - bytes);
        Access { object, offset, site: Site { place: self.place(), op, width } }
    }
}
