//! What releases, acquires and fences do to the class of a conflict.

use rosser_detect::kind::Kind;
use rosser_detect::kind::Ordering;
use rosser_detect::serial::cell::Cell;
use rosser_detect::serial::engine::Engine;
use rosser_detect::serial::memory::Storage;

const RELAXED: Ordering = Ordering { acquires: false, releases: false };
const RELEASE: Ordering = Ordering { acquires: false, releases: true };
const ACQUIRE: Ordering = Ordering { acquires: true, releases: false };

/// Two tasks of one scope: the first writes the data, then does what `publish` says to a flag; the
/// second does what `observe` says to the flag, then frees the data. Whether that is a data race.
fn is_race(
    publish: impl FnOnce(&mut Engine, &mut Cell),
    observe: impl FnOnce(&mut Engine, &mut Cell),
) -> bool {
    let mut engine = Engine::new(Storage::leaked(1000, 1000));
    let (mut data, mut flag) = (Cell::default(), Cell::default());
    let scope = engine.scope_begin().unwrap();
    engine.task_begin(1, 1, scope).unwrap();
    let id = engine.id_of(10).unwrap();
    engine.judge.write(&mut data, Kind::Write, 0xff, id).unwrap();
    publish(&mut engine, &mut flag);
    engine.task_end().unwrap();
    engine.task_begin(2, 2, scope).unwrap();
    observe(&mut engine, &mut flag);
    let id = engine.id_of(20).unwrap();
    engine.judge.write(&mut data, Kind::Free, 0xff, id).unwrap();
    assert_eq!(engine.judge.conflicts().len(), 1, "the two are parallel in any case");
    engine.judge.conflicts()[0].is_data_race()
}

fn atomic(kind: Kind, ordering: Ordering) -> impl FnOnce(&mut Engine, &mut Cell) {
    move |engine, cell| engine.atomic(cell, kind, 0xff, 30, ordering).unwrap()
}

#[test]
fn a_release_that_is_acquired_orders() {
    assert!(!is_race(atomic(Kind::Store, RELEASE), atomic(Kind::Load, ACQUIRE)));
    assert!(!is_race(atomic(Kind::Swap, RELEASE), atomic(Kind::Swap, ACQUIRE)));
}

#[test]
fn relaxed_accesses_order_nothing() {
    assert!(is_race(atomic(Kind::Store, RELAXED), atomic(Kind::Load, ACQUIRE)));
    assert!(is_race(atomic(Kind::Store, RELEASE), atomic(Kind::Load, RELAXED)));
    assert!(is_race(|_, _| (), |_, _| ()));
}

#[test]
fn a_relaxed_store_ends_a_release_but_an_update_continues_it() {
    let then = |kind: Kind| {
        move |engine: &mut Engine, cell: &mut Cell| {
            engine.atomic(cell, Kind::Store, 0xff, 30, RELEASE).unwrap();
            engine.atomic(cell, kind, 0xff, 31, RELAXED).unwrap();
        }
    };
    assert!(is_race(then(Kind::Store), atomic(Kind::Load, ACQUIRE)));
    assert!(!is_race(then(Kind::Add), atomic(Kind::Load, ACQUIRE)));
}

#[test]
fn fences_order_relaxed_accesses() {
    // As `Arc` drops its last owner.
    assert!(!is_race(atomic(Kind::Add, RELEASE), |engine, cell| {
        engine.atomic(cell, Kind::Add, 0xff, 30, RELEASE).unwrap();
        engine.fence(31, true, false).unwrap();
    }));
    assert!(!is_race(
        |engine, cell| {
            engine.fence(30, false, true).unwrap();
            engine.atomic(cell, Kind::Store, 0xff, 31, RELAXED).unwrap();
        },
        atomic(Kind::Load, ACQUIRE)
    ));
}

#[test]
fn what_comes_after_a_release_is_not_in_it() {
    let late = |engine: &mut Engine, cell: &mut Cell| {
        engine.atomic(cell, Kind::Store, 0xff, 30, RELEASE).unwrap();
    };
    let mut engine = Engine::new(Storage::leaked(1000, 1000));
    let (mut data, mut flag) = (Cell::default(), Cell::default());
    let scope = engine.scope_begin().unwrap();
    engine.task_begin(1, 1, scope).unwrap();
    late(&mut engine, &mut flag);
    let id = engine.id_of(10).unwrap();
    engine.judge.write(&mut data, Kind::Write, 0xff, id).unwrap();
    engine.task_end().unwrap();
    engine.task_begin(2, 2, scope).unwrap();
    engine.atomic(&mut flag, Kind::Load, 0xff, 31, ACQUIRE).unwrap();
    let id = engine.id_of(20).unwrap();
    engine.judge.read(&mut data, 0xff, id).unwrap();
    assert!(engine.judge.conflicts()[0].is_data_race());
}

#[test]
fn a_hidden_release_orders_what_came_before_it() {
    assert!(!is_race(
        |engine, cell| {
            engine.atomic(cell, Kind::Load, 0xff, 30, ACQUIRE).unwrap();
            engine.hidden_release(cell, 31).unwrap();
        },
        atomic(Kind::Load, ACQUIRE)
    ));
}
