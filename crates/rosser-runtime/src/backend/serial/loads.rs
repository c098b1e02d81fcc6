//! Atomic loads that the present step repeats.
//!
//! A flag or a bound that tasks share is loaded again and again, and hardly ever stored. The first load
//! of a step at each place is for the engine. Another one has nothing to add: whom the step is parallel
//! with only becomes fewer while it lasts, so no conflict is new; and the load is in the record of its
//! word, as long as there is one and `Judge::changes` is the same. As with plain accesses, what a step
//! repeats is not counted as a conflict again.

use rosser_detect::serial::cell::{Cell, RECORD};
use rosser_detect::serial::engine::Engine;
use rosser_detect::serial::log::Id;
use rosser_detect::serial::weak::Knowledge;

/// A load, as the program makes it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Load {
    /// Where in the program.
    pub pc: usize,
    pub address: usize,
    pub size: usize,
}

/// A load that the engine has been told of.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Told {
    load: Load,
    /// The first id of the step: no other that has made an access begins with the same.
    base: Id,
    /// What the step had acquired: it can make a conflict with a plain write less bad.
    acquired: Knowledge,
    changes: u64,
}

impl Told {
    /// Nothing is loaded there.
    const NONE: Self =
        Self { load: Load { pc: 0, address: 0, size: 0 }, base: 0, acquired: 0, changes: 0 };

    #[inline]
    fn new(load: Load, engine: &Engine) -> Self {
        Self {
            load,
            base: engine.base(),
            acquired: engine.judge.weak.known,
            changes: engine.judge.changes,
        }
    }
}

/// The last loads, each where its place and its address say.
pub struct Loads([Told; Self::LEN]);

impl Loads {
    const LEN: usize = 64;

    /// None yet.
    pub const fn new() -> Self {
        Self([Told::NONE; Self::LEN])
    }

    #[inline]
    fn slot(load: Load) -> usize {
        (load.pc ^ (load.address / 8)) % Self::LEN
    }

    /// Whether the present step has made the load before, and another one changes nothing. The cell is
    /// that of its word.
    #[inline]
    pub fn repeats(&self, load: Load, cell: &Cell, engine: &Engine) -> bool {
        self.0[Self::slot(load)] == Told::new(load, engine)
            && cell.flags & RECORD != 0
            && cell.accessor >= engine.base()
    }

    /// The engine has been told of a load, at a place whose site depends on nothing else.
    #[inline]
    pub fn set(&mut self, load: Load, engine: &Engine) {
        self.0[Self::slot(load)] = Told::new(load, engine);
    }
}

#[cfg(test)]
mod tests {
    use rosser_detect::kind::Kind;
    use rosser_detect::kind::Ordering;
    use rosser_detect::serial::cell::Cell;
    use rosser_detect::serial::engine::Engine;
    use rosser_detect::serial::memory::Storage;

    use super::{Load, Loads};

    const RELAXED: Ordering = Ordering { acquires: false, releases: false };
    const LOAD: Load = Load { pc: 1, address: 0x1000, size: 8 };

    /// A task that has made the load, its word and what is remembered.
    fn loaded() -> (Engine, Cell, Loads) {
        let mut engine = Engine::new(Storage::leaked(1 << 10, 1 << 10));
        let mut cell = Cell::default();
        let mut loads = Loads::new();
        let scope = engine.scope_begin().unwrap();
        engine.task_begin(1, 1, scope).unwrap();
        assert!(!loads.repeats(LOAD, &cell, &engine));
        engine.atomic(&mut cell, Kind::Load, 0xff, 1, RELAXED).unwrap();
        loads.set(LOAD, &engine);
        assert!(loads.repeats(LOAD, &cell, &engine));
        (engine, cell, loads)
    }

    #[test]
    fn only_the_same_load_of_the_same_step_repeats() {
        let (mut engine, mut cell, loads) = loaded();
        assert!(!loads.repeats(Load { pc: 2, ..LOAD }, &cell, &engine));
        assert!(!loads.repeats(Load { address: 0x1008, ..LOAD }, &cell, &engine));
        assert!(!loads.repeats(Load { size: 4, ..LOAD }, &cell, &engine));
        engine.judge.write(&mut cell, Kind::Write, 0xff, 9).unwrap();
        engine.task_begin(1, 1, 1).unwrap();
        assert!(!loads.repeats(LOAD, &cell, &engine));
        engine.task_end().unwrap();
        assert!(!loads.repeats(LOAD, &cell, &engine));
    }

    #[test]
    fn after_an_update_the_load_is_looked_at() {
        let (mut engine, mut cell, loads) = loaded();
        engine.atomic(&mut cell, Kind::Add, 0xff, 2, RELAXED).unwrap();
        assert!(!loads.repeats(LOAD, &cell, &engine));
    }

    #[test]
    fn what_was_forgotten_is_not_taken_for_known() {
        let (mut engine, mut cell, loads) = loaded();
        engine.judge.forget(&mut cell);
        assert!(!loads.repeats(LOAD, &cell, &engine));
        // Other memory, at the same address, with the same record.
        engine.atomic(&mut cell, Kind::Load, 0xf, 2, RELAXED).unwrap();
        assert!(!loads.repeats(LOAD, &cell, &engine));
    }
}
