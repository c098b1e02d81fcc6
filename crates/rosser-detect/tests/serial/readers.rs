//! Which readers of a word are remembered.

use rosser_detect::kind::Kind;
use rosser_detect::serial::cell::Cell;
use rosser_detect::serial::engine::Engine;
use rosser_detect::serial::memory::Storage;

fn read(engine: &mut Engine, cell: &mut Cell, site: u32) {
    let id = engine.id_of(site).unwrap();
    engine.judge.read(cell, 0xff, id).unwrap();
    assert_eq!(engine.judge.conflicts(), []);
}

/// The first of three readers is joined before the second is.
#[test]
fn a_reader_that_joins_later_is_kept() {
    let mut engine = Engine::new(Storage::leaked(1 << 10, 1 << 8));
    let mut cell = Cell::default();
    let outer = engine.scope_begin().unwrap();
    let inner = engine.scope_begin().unwrap();
    for (scope, site) in [(inner, 10), (outer, 11)] {
        engine.task_begin(1, 1, scope).unwrap();
        read(&mut engine, &mut cell, site);
        engine.task_end().unwrap();
    }
    read(&mut engine, &mut cell, 12);
    engine.scope_end(inner).unwrap();
    let id = engine.id_of(13).unwrap();
    engine.judge.write(&mut cell, Kind::Write, 0xff, id).unwrap();
    let [conflict] = engine.judge.conflicts() else { panic!("{:?}", engine.judge.conflicts()) };
    assert_eq!(engine.site_of(conflict.first), 11);
}
