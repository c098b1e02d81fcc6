//! Memory that is used for other data: what was found in it before hides nothing.

use rosser_detect::kind::Kind;
use rosser_detect::kind::Ordering;
use rosser_detect::serial::cell::Cell;
use rosser_detect::serial::engine::Engine;
use rosser_detect::serial::memory::Storage;

const RELAXED: Ordering = Ordering { acquires: false, releases: false };
const RELEASE: Ordering = Ordering { acquires: false, releases: true };

/// A run whose order is general until it ends, as a task that nothing joins has released something.
fn general() -> Engine {
    let mut engine = Engine::new(Storage::leaked(1 << 16, 1 << 12));
    engine.task_begin(1, 1, 0).unwrap();
    engine.atomic(&mut Cell::default(), Kind::Add, 0xff, 1, RELEASE).unwrap();
    engine.promise_set(2).unwrap();
    engine.task_end().unwrap();
    assert!(engine.is_general() && !engine.is_quiet());
    engine
}

/// The main task joins a task for each kind, which accesses a byte. How many conflicts there are.
fn joined(engine: &mut Engine, cell: &mut Cell, kinds: &[Kind]) -> usize {
    let scope = engine.scope_begin().unwrap();
    let mut conflicts = 0;
    for (site, kind) in (10..).zip(kinds) {
        engine.task_begin(1, site, scope).unwrap();
        engine.atomic(cell, *kind, 1, site, RELAXED).unwrap();
        conflicts += engine.judge.conflicts().len();
        engine.task_end().unwrap();
    }
    engine.scope_end(scope).unwrap();
    conflicts
}

/// The main task writes the byte.
fn write(engine: &mut Engine, cell: &mut Cell) {
    let id = engine.id_of(20).unwrap();
    engine.judge.write(cell, Kind::Write, 1, id).unwrap();
    assert!(engine.judge.conflicts().is_empty());
}

#[test]
fn a_local_variable_where_another_was_in_conflict() {
    let (mut engine, mut cell) = (general(), Cell::default());
    for kinds in [[Kind::Or, Kind::Load], [Kind::Load, Kind::Add], [Kind::Swap, Kind::Swap]] {
        write(&mut engine, &mut cell);
        assert_eq!(joined(&mut engine, &mut cell, &kinds), 1);
    }
}

#[test]
fn the_same_variable_in_conflict_at_other_places() {
    let (mut engine, mut cell) = (general(), Cell::default());
    for kinds in [[Kind::Or, Kind::Load], [Kind::Load, Kind::Add], [Kind::Swap, Kind::Swap]] {
        assert_eq!(joined(&mut engine, &mut cell, &kinds), 1);
    }
}

/// After a conflict only the newest accesses are looked at, but not of another variable.
#[test]
fn a_variable_with_many_accesses_where_another_was_in_conflict() {
    let (mut engine, mut cell) = (general(), Cell::default());
    write(&mut engine, &mut cell);
    assert_eq!(joined(&mut engine, &mut cell, &[Kind::Or, Kind::Load]), 1);
    write(&mut engine, &mut cell);
    // An addition that is joined last, then many that are joined at once, then a load.
    let scope = engine.scope_begin().unwrap();
    engine.task_begin(1, 30, scope).unwrap();
    engine.atomic(&mut cell, Kind::Add, 1, 30, RELAXED).unwrap();
    engine.task_end().unwrap();
    assert_eq!(joined(&mut engine, &mut cell, &[Kind::Add; 200]), 0);
    engine.atomic(&mut cell, Kind::Load, 1, 31, RELAXED).unwrap();
    assert_eq!(engine.judge.conflicts().len(), 1);
    engine.scope_end(scope).unwrap();
}

#[test]
fn bytes_that_were_forgotten() {
    let (mut engine, mut cell) = (general(), Cell::default());
    // Keeps the record.
    engine.atomic(&mut cell, Kind::Load, 0x80, 9, RELAXED).unwrap();
    assert_eq!(joined(&mut engine, &mut cell, &[Kind::Or, Kind::Load]), 1);
    engine.judge.forget_bytes(&mut cell, 1);
    assert_eq!(joined(&mut engine, &mut cell, &[Kind::Load, Kind::Add]), 1);
}
