//! Words of which steps read and write one half after the other.

use rosser_detect::kind::Kind;
use rosser_detect::serial::cell::Cell;
use rosser_detect::serial::engine::Engine;
use rosser_detect::serial::log::Site;
use rosser_detect::serial::memory::Storage;

const LOW: u8 = 0x0f;
const HIGH: u8 = 0xf0;

/// A program with one word.
struct Program {
    engine: Engine,
    cell: Cell,
}

impl Program {
    /// In a scope whose number is 1.
    fn new() -> Self {
        let mut engine = Engine::new(Storage::leaked(1 << 10, 1 << 10));
        assert_eq!(engine.scope_begin().unwrap(), 1);
        Self { engine, cell: Cell::default() }
    }

    /// Runs a task inside the current one, which waits for it.
    fn child(&mut self, body: impl FnOnce(&mut Self)) {
        let scope = self.engine.scope_begin().unwrap();
        self.sibling(scope, body);
        self.engine.scope_end(scope).unwrap();
    }

    /// Runs a task that is parallel with others of the scope.
    fn sibling(&mut self, scope: u32, body: impl FnOnce(&mut Self)) {
        self.engine.task_begin(1, 1, scope).unwrap();
        body(self);
        self.engine.task_end().unwrap();
    }

    /// Reads. Returns whether that was quick, and the sites of accesses in conflict.
    fn read(&mut self, bytes: u8, site: Site) -> (bool, Vec<Site>) {
        let id = self.engine.id_of(site).unwrap();
        let quick = self.engine.judge.read_quickly(&mut self.cell.clone(), bytes, id);
        self.engine.judge.read(&mut self.cell, bytes, id).unwrap();
        (quick, self.conflicts())
    }

    /// Writes, likewise.
    fn write(&mut self, bytes: u8, site: Site) -> (bool, Vec<Site>) {
        let id = self.engine.id_of(site).unwrap();
        let quick = self.engine.judge.write_quickly(&mut self.cell.clone(), bytes, id);
        self.engine.judge.write(&mut self.cell, Kind::Write, bytes, id).unwrap();
        (quick, self.conflicts())
    }

    fn conflicts(&self) -> Vec<Site> {
        let all = self.engine.judge.conflicts();
        let mut sites: Vec<_> =
            all.iter().map(|conflict| self.engine.site_of(conflict.first)).collect();
        sites.sort_unstable();
        sites
    }
}

const QUICK: (bool, Vec<Site>) = (true, Vec::new());

#[test]
fn of_what_a_step_has_read_and_written_the_write_is_kept() {
    let mut program = Program::new();
    program.sibling(1, |program| {
        for half in [LOW, HIGH] {
            assert_eq!(program.read(half, 10), QUICK);
            assert_eq!(program.write(half, 11), QUICK);
        }
        program.child(|program| {
            assert_eq!(program.read(LOW, 20), QUICK);
            assert_eq!(program.write(LOW, 21), QUICK);
            assert_eq!(program.read(LOW, 22), QUICK);
        });
    });
    assert!(!program.engine.judge.has_records());
    program.sibling(1, |program| {
        assert_eq!(program.read(HIGH, 30), (false, vec![11]));
        assert_eq!(program.read(LOW, 31), (false, vec![21]));
    });
}

#[test]
fn what_another_step_has_only_read_is_kept() {
    let mut program = Program::new();
    program.sibling(1, |program| {
        assert_eq!(program.write(0xff, 10), QUICK);
        program.child(|program| {
            assert_eq!(program.read(0xff, 20), QUICK);
            program.child(|program| {
                assert_eq!(program.read(LOW, 30), QUICK);
                assert_eq!(program.write(LOW, 31), QUICK);
                // The other half is that of the outer tasks still.
                assert_eq!(program.read(LOW, 32), QUICK);
            });
        });
    });
    program.sibling(1, |program| {
        assert_eq!(program.write(HIGH, 40).1, [10, 20]);
        assert_eq!(program.read(LOW, 41).1, [31]);
    });
}

#[test]
fn a_half_that_is_not_written_need_not_be_asked_about() {
    let mut program = Program::new();
    program.sibling(1, |program| assert_eq!(program.write(HIGH, 10), QUICK));
    program.sibling(1, |program| {
        assert_eq!(program.write(LOW, 20), QUICK);
        assert_eq!(program.write(HIGH, 21), (false, vec![10]));
    });
}

#[test]
fn a_word_with_a_record_gets_a_cell_again_when_there_is_room() {
    let mut program = Program::new();
    program.sibling(1, |program| {
        assert_eq!(program.write(0xff, 10), QUICK);
        program.child(|program| {
            assert_eq!(program.read(0xff, 20), QUICK);
            assert_eq!(program.write(LOW, 21), QUICK);
            program.child(|program| {
                // Two writers and two readers.
                assert_eq!(program.read(LOW, 30).1, []);
                assert!(program.cell.record().is_some());
                assert_eq!(program.read(HIGH, 30).1, []);
                assert!(program.cell.record().is_none());
            });
        });
    });
    program.sibling(1, |program| {
        assert_eq!(program.write(0xff, 40).1, [10, 21, 30]);
    });
}

#[test]
fn a_half_can_be_forgotten() {
    let mut program = Program::new();
    program.sibling(1, |program| {
        assert_eq!(program.read(0xff, 10), QUICK);
        assert_eq!(program.write(HIGH, 11), QUICK);
    });
    program.engine.judge.forget_bytes(&mut program.cell, LOW);
    program.sibling(1, |program| {
        assert_eq!(program.write(LOW, 20), QUICK);
        assert_eq!(program.read(HIGH, 21), (false, vec![11]));
    });
    program.engine.judge.forget_bytes(&mut program.cell, HIGH);
    program.sibling(1, |program| {
        assert_eq!(program.write(HIGH, 30).1, []);
        assert_eq!(program.read(LOW, 31).1, [20]);
    });
    program.engine.judge.forget_bytes(&mut program.cell, 0xff);
    program.sibling(1, |program| assert_eq!(program.write(0xff, 40).1, []));
}

#[test]
fn a_half_of_a_word_with_a_record_can_be_forgotten() {
    let mut program = Program::new();
    // After a release nobody stands for another: the order that it makes may tell them apart.
    program.sibling(1, |program| program.engine.fence(1, false, true).unwrap());
    for (site, byte) in (10..).zip(0..8) {
        program.sibling(1, |program| assert_eq!(program.write(1 << byte, site).1, []));
    }
    assert!(program.cell.record().is_some());
    program.engine.judge.forget_bytes(&mut program.cell, LOW);
    program.sibling(1, |program| {
        assert_eq!(program.write(LOW, 30).1, []);
        assert_eq!(program.read(HIGH, 31).1, [14, 15, 16, 17]);
    });
}

#[test]
fn items_that_write_parts_of_a_word_need_no_record() {
    let mut program = Program::new();
    for byte in 0..8 {
        program.sibling(1, |program| {
            assert_eq!(program.read(1 << byte, 10).1, []);
            assert_eq!(program.write(1 << byte, 10).1, []);
        });
    }
    assert!(program.cell.record().is_none());
    // One stands for all but the last.
    program.sibling(1, |program| assert_eq!(program.read(0xff, 30).1.len(), 2));
    program.sibling(1, |program| assert_eq!(program.write(1 << 2, 31).1, [10, 30]));
}
