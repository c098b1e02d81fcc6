//! Words that share their readers, case by case. Random ones are in `any_order.rs`.

use rosser_detect::kind::Kind;
use rosser_detect::order::ScopeNumber;
use rosser_detect::serial::cell::{Cell, MANY};
use rosser_detect::serial::engine::Engine;
use rosser_detect::serial::memory::Storage;
use rosser_detect::serial::switching::SetPoint;

struct Program {
    engine: Engine,
    scope: ScopeNumber,
}

impl Program {
    fn new() -> Self {
        let mut engine = Engine::new(Storage::leaked(1 << 16, 1 << 14));
        let scope = engine.scope_begin().unwrap();
        Self { engine, scope }
    }

    fn read(&mut self, cells: &mut [Cell], bytes: u8, site: u32) {
        for cell in cells {
            let id = self.engine.id_of(site).unwrap();
            self.engine.judge.read(cell, bytes, id).unwrap();
            assert_eq!(self.engine.judge.conflicts(), []);
        }
    }

    /// The sites of the accesses that a write is in conflict with.
    fn write(&mut self, cell: &mut Cell, bytes: u8, site: u32) -> Vec<u32> {
        let id = self.engine.id_of(site).unwrap();
        self.engine.judge.write(cell, Kind::Write, bytes, id).unwrap();
        let conflicts = self.engine.judge.conflicts().iter();
        let mut sites: Vec<_> =
            conflicts.map(|conflict| self.engine.site_of(conflict.first)).collect();
        sites.sort_unstable();
        sites
    }

    /// A task of its own, which has got some promises first.
    fn task<T>(&mut self, gets: &[SetPoint], act: impl FnOnce(&mut Self) -> T) -> (T, SetPoint) {
        self.engine.task_begin(1, 1, self.scope).unwrap();
        for promise in gets {
            self.engine.promise_get(*promise, 1).unwrap();
        }
        let result = act(self);
        let set = self.engine.promise_set(1).unwrap();
        self.engine.task_end().unwrap();
        (result, set)
    }

    /// So many parallel tasks read all of the words.
    fn readers(&mut self, cells: &mut [Cell], sites: std::ops::Range<u32>) -> Vec<SetPoint> {
        sites.map(|site| self.task(&[], |program| program.read(cells, 0xff, site)).1).collect()
    }
}

fn lists(cells: &[Cell]) -> Vec<u32> {
    assert!(cells.iter().all(|cell| cell.flags & MANY != 0), "{cells:?}");
    cells.iter().map(|cell| cell.other).collect()
}

#[test]
fn words_with_the_same_readers_have_the_same_list() {
    let mut program = Program::new();
    let mut cells = [Cell::default(); 3];
    // Only then is the order general.
    program.task(&[], |_| ());
    program.readers(&mut cells, 10..15);
    program.readers(&mut cells[1..], 15..16);
    program.readers(&mut cells, 16..18);
    let [first, second, third] = lists(&cells)[..] else { panic!() };
    assert!(first != second && second == third);
    for (cell, readers) in cells.iter_mut().zip([7, 8, 8]) {
        let sites: Vec<_> = (10..18).filter(|site| readers == 8 || *site != 15).collect();
        assert_eq!(program.write(cell, 0xff, 20), sites);
    }
}

/// A task writes to one of two words after all readers. Another, which is not after them, writes to the
/// other word, and one that is writes to the third.
#[test]
fn that_all_precede_is_asked_by_each_step() {
    let mut program = Program::new();
    let mut cells = [Cell::default(); 3];
    program.task(&[], |_| ());
    let sets = program.readers(&mut cells, 10..15);
    let after_all = |program: &mut Program, cell: &mut Cell, site: u32| {
        program.task(&sets, |program| program.write(cell, 0xff, site)).0
    };
    lists(&cells);
    assert_eq!(after_all(&mut program, &mut cells[0], 20), []);
    let all_but_one = &sets[..4];
    let (found, _) = program.task(all_but_one, |program| program.write(&mut cells[1], 0xff, 21));
    assert_eq!(found, [14]);
    assert_eq!(after_all(&mut program, &mut cells[2], 22), []);
}

/// Eight parallel readers, of which most precede the next: they are dropped only if that reads all that they
/// have read. Reading the rest later is as good.
#[test]
fn readers_are_dropped_if_all_their_bytes_are_read() {
    for (halves, left) in [(&[0xff][..], 3), (&[0x0f], 8), (&[0x0f, 0xf0], 3)] {
        let mut program = Program::new();
        let mut cells = [Cell::default(); 2];
        program.task(&[], |_| ());
        let sets = program.readers(&mut cells, 10..18);
        program.task(&sets[..6], |program| {
            for half in halves {
                program.read(&mut cells, *half, 30);
            }
        });
        lists(&cells);
        let (found, _) = program.task(&[], |program| program.write(&mut cells[0], 0xf0, 40));
        let reads_all = halves.iter().fold(0, |all, half| all | half) == 0xff;
        let oldest = if reads_all { 16 } else { 10 };
        let expected: Vec<_> = (oldest..18).chain(reads_all.then_some(30)).collect();
        assert_eq!(found, expected);
        assert_eq!(found.len(), left);
    }
}

/// The newest reader precedes the next, which reads half of its bytes.
#[test]
fn a_reader_is_kept_for_the_bytes_that_are_not_read_again() {
    let mut program = Program::new();
    let mut cell = [Cell::default()];
    program.task(&[], |_| ());
    let sets = program.readers(&mut cell, 10..14);
    program.task(&sets[3..], |program| {
        // So that it is known that the reader precedes.
        program.read(&mut [Cell { accessor: cell[0].accessor, ..cell[0] }], 0xff, 30);
        program.read(&mut cell, 0x0f, 30);
    });
    lists(&cell);
    let (found, _) = program.task(&[], |program| program.write(&mut cell[0], 0xf0, 40));
    assert_eq!(found, [10, 11, 12, 13]);
}

/// Two words have the same readers, but of one the newest has read only half.
#[test]
fn readers_of_other_bytes_are_not_in_the_list() {
    let mut program = Program::new();
    let mut cells = [Cell::default(); 2];
    program.task(&[], |_| ());
    program.readers(&mut cells, 10..14);
    program.task(&[], |program| {
        program.read(&mut cells[..1], 0xff, 14);
        program.read(&mut cells[1..], 0x0f, 14);
    });
    program.readers(&mut cells, 15..17);
    assert!(cells[0].flags & MANY != 0 && cells[1].flags & MANY == 0);
    let (found, _) =
        program.task(&[], |program| cells.each_mut().map(|cell| program.write(cell, 0xf0, 40)));
    assert_eq!(found, [vec![10, 11, 12, 13, 14, 15, 16], vec![10, 11, 12, 13, 15, 16]]);
}

/// A write to half of the bytes comes after all readers, then one to the other half does not.
#[test]
fn a_write_takes_the_place_of_readers_for_its_bytes() {
    let mut program = Program::new();
    let mut cell = [Cell::default()];
    program.task(&[], |_| ());
    let sets = program.readers(&mut cell, 10..14);
    program.task(&sets, |program| {
        assert_eq!(program.write(&mut cell[0], 0x0f, 20), []);
    });
    lists(&cell);
    program.task(&sets[1..], |program| {
        assert_eq!(program.write(&mut cell[0], 0xf0, 21), [10]);
    });
}

/// The word's writer and its readers precede a write to some bytes, which has to leave both.
#[test]
fn an_older_writer_and_readers_are_left_by_a_write_to_other_bytes() {
    let mut program = Program::new();
    let mut cell = [Cell::default()];
    program.task(&[], |_| ());
    let ((), written) = program.task(&[], |program| {
        assert_eq!(program.write(&mut cell[0], 0xff, 9), []);
    });
    let sets: Vec<_> = (10..14)
        .map(|site| program.task(&[written], |program| program.read(&mut cell, 0xff, site)).1)
        .collect();
    lists(&cell);
    let mut half = cell;
    for (cell, bytes) in [(&mut cell, 0x0f), (&mut half, 0xff)] {
        program.task(&sets, |program| assert_eq!(program.write(&mut cell[0], bytes, 20), []));
    }
    let (found, _) = program.task(&[], |program| program.write(&mut cell[0], 0xf0, 21));
    assert_eq!(found, [9, 10, 11, 12, 13]);
    let (found, _) = program.task(&[], |program| program.write(&mut half[0], 0xf0, 21));
    assert_eq!(found, [20]);
}

/// The lists of a region that has ended are those of others in the next.
#[test]
fn lists_end_with_their_region() {
    let mut program = Program::new();
    let mut old = [Cell::default(); 4];
    let mut new = [Cell::default(); 1];
    program.task(&[], |_| ());
    program.readers(&mut old, 10..15);
    lists(&old);
    program.engine.scope_end(program.scope).unwrap();
    assert!(program.engine.is_quiet());
    program.engine.end_region();
    program.scope = program.engine.scope_begin().unwrap();
    program.task(&[], |_| ());
    program.readers(&mut new, 20..25);
    assert_eq!(lists(&new), lists(&old[..1]), "the same place");
    program.readers(&mut old[..1], 30..31);
    let (found, _) =
        program.task(&[], |program| old.each_mut().map(|cell| program.write(cell, 0xf0, 40)));
    assert_eq!(found, [vec![30], vec![], vec![], vec![]]);
}

/// What no cell names is forgotten, and the rest stays.
#[test]
fn lists_that_no_cell_names_are_swept_away() {
    let mut program = Program::new();
    let mut cells = [Cell::default(); 2];
    program.task(&[], |_| ());
    let sets = program.readers(&mut cells[..1], 10..15);
    program.readers(&mut cells[1..], 20..25);
    program.task(&sets, |program| assert_eq!(program.write(&mut cells[0], 0xff, 30), []));
    let each_cell = |each: &mut dyn FnMut(&mut [Cell])| each(&mut cells);
    program.engine.judge.sweep_readers(Some(each_cell));
    let mut new = [Cell::default()];
    program.readers(&mut new, 40..45);
    assert!(lists(&new)[0] < lists(&cells[1..])[0], "room was made");
    let (found, _) = program.task(&[], |program| {
        [&mut cells[1], &mut new[0]].map(|cell| program.write(cell, 0xff, 50))
    });
    assert_eq!(found, [(20..25).collect::<Vec<_>>(), (40..45).collect()]);
}

/// Two steps come to words with the same readers. Most of these precede the first step, none the other.
#[test]
fn what_one_step_drops_another_keeps() {
    let mut program = Program::new();
    let mut cells = [Cell::default(); 2];
    program.task(&[], |_| ());
    let sets = program.readers(&mut cells, 10..18);
    program.task(&sets[..6], |program| program.read(&mut cells[..1], 0xff, 30));
    program.task(&[], |program| program.read(&mut cells[1..], 0xff, 31));
    lists(&cells);
    let (found, _) =
        program.task(&[], |program| cells.each_mut().map(|cell| program.write(cell, 0xff, 40)));
    assert_eq!(found, [vec![16, 17, 30], vec![10, 11, 12, 13, 14, 15, 16, 17, 31]]);
}
