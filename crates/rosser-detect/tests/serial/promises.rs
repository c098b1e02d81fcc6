//! Promises and futures, pattern by pattern: those that DRDP (Jin et al. 2023) is made for, and what
//! the runtime's engine has to do besides.

use rosser_detect::kind::Kind;
use rosser_detect::kind::Ordering;
use rosser_detect::serial::cell::Cell;
use rosser_detect::serial::engine::Engine;
use rosser_detect::serial::memory::Storage;
use rosser_detect::serial::running::Frame;

const RELEASE: Ordering = Ordering { acquires: false, releases: true };
const ACQUIRE: Ordering = Ordering { acquires: true, releases: false };

fn engine() -> Engine {
    Engine::new(Storage::leaked(1 << 16, 1 << 14))
}

/// Reads; how many conflicts that had.
fn read(engine: &mut Engine, cell: &mut Cell, site: u32) -> usize {
    let id = engine.id_of(site).unwrap();
    engine.judge.read(cell, 0xff, id).unwrap();
    engine.judge.conflicts().len()
}

/// Writes; how many conflicts that had.
fn write(engine: &mut Engine, cell: &mut Cell, site: u32) -> usize {
    let id = engine.id_of(site).unwrap();
    engine.judge.write(cell, Kind::Write, 0xff, id).unwrap();
    engine.judge.conflicts().len()
}

#[test]
fn a_future_precedes_what_follows_its_get_and_nothing_else() {
    let mut engine = engine();
    let mut cell = Cell::default();
    let scope = engine.scope_begin().unwrap();
    engine.task_begin(1, 1, scope).unwrap();
    write(&mut engine, &mut cell, 10);
    let future = engine.promise_set(1).unwrap();
    engine.task_end().unwrap();
    assert_eq!(read(&mut engine, &mut cell, 11), 1, "before the get");
    engine.promise_get(future, 1).unwrap();
    assert_eq!(read(&mut engine, &mut cell, 12), 0, "after it");
    engine.task_begin(1, 1, scope).unwrap();
    assert_eq!(read(&mut engine, &mut cell, 13), 0, "a child knows what its parent knew");
    engine.task_end().unwrap();
}

#[test]
fn what_a_task_does_after_its_set_is_not_ordered() {
    let mut engine = engine();
    let (mut before, mut after) = (Cell::default(), Cell::default());
    let scope = engine.scope_begin().unwrap();
    engine.task_begin(1, 1, scope).unwrap();
    write(&mut engine, &mut before, 10);
    let promise = engine.promise_set(1).unwrap();
    write(&mut engine, &mut after, 11);
    engine.task_end().unwrap();
    engine.promise_get(promise, 1).unwrap();
    assert_eq!(read(&mut engine, &mut before, 12), 0);
    assert_eq!(read(&mut engine, &mut after, 13), 1);
}

/// A task waits for a promise that its younger sibling sets: DRDP's first example.
#[test]
fn a_task_that_waits_is_resumed_by_the_one_that_sets() {
    let mut engine = engine();
    let (mut data, mut other) = (Cell::default(), Cell::default());
    let scope = engine.scope_begin().unwrap();
    let consumer = engine.task_begin(1, 1, scope).unwrap();
    write(&mut engine, &mut other, 10);
    engine.suspend(engine.current()).unwrap();
    assert_eq!(engine.current(), 0, "the parent goes on");
    assert_eq!(read(&mut engine, &mut other, 11), 1, "what waits is still parallel");
    let producer = engine.task_begin(1, 1, scope).unwrap();
    write(&mut engine, &mut data, 12);
    let promise = engine.promise_set(1).unwrap();
    engine.resume(consumer, consumer).unwrap();
    engine.promise_get(promise, 1).unwrap();
    assert_eq!(write(&mut engine, &mut data, 13), 0);
    engine.task_end().unwrap();
    assert_eq!(engine.current(), producer, "whoever resumed it goes on");
    assert_eq!(read(&mut engine, &mut data, 14), 1, "after the set");
    engine.task_end().unwrap();
    assert_eq!(engine.current(), 0);
    engine.scope_end(scope).unwrap();
    assert_eq!(write(&mut engine, &mut data, 15), 0);
    assert_eq!(write(&mut engine, &mut other, 16), 0);
}

/// Pseudotransitivity is lost: of two parallel readers either may be ordered before a later write.
#[test]
fn every_parallel_reader_is_kept() {
    for ordered in 0..5 {
        let mut engine = engine();
        let mut cell = Cell::default();
        let scope = engine.scope_begin().unwrap();
        let futures: Vec<_> = (0..5)
            .map(|reader| {
                engine.task_begin(1, 1, scope).unwrap();
                read(&mut engine, &mut cell, 10 + reader);
                let set = engine.promise_set(1).unwrap();
                engine.task_end().unwrap();
                set
            })
            .collect();
        for (_, future) in (0..5).zip(&futures).filter(|(reader, _)| *reader != ordered) {
            engine.promise_get(*future, 1).unwrap();
        }
        assert_eq!(write(&mut engine, &mut cell, 20), 1);
        assert_eq!(engine.site_of(engine.judge.conflicts()[0].first), 10 + ordered);
    }
}

/// Thousands of readers, of which one was not waited for.
#[test]
fn no_reader_is_dropped_however_many_there_are() {
    let mut engine = engine();
    let mut cell = Cell::default();
    let scope = engine.scope_begin().unwrap();
    let readers = 3000;
    let futures: Vec<_> = (0..readers)
        .map(|reader| {
            engine.task_begin(1, 1, scope).unwrap();
            read(&mut engine, &mut cell, 10 + reader);
            let set = engine.promise_set(1).unwrap();
            engine.task_end().unwrap();
            set
        })
        .collect();
    for future in futures.iter().filter(|future| **future != futures[1234]) {
        engine.promise_get(*future, 1).unwrap();
    }
    assert_eq!(write(&mut engine, &mut cell, 5), 1);
    assert_eq!(engine.site_of(engine.judge.conflicts()[0].first), 10 + 1234);
}

/// Readers in the middle of a crowd are dropped when it is gone through; the others stay.
#[test]
fn a_crowd_with_a_hole_keeps_its_oldest() {
    for left_out in [0, 5, 25, 30] {
        let mut engine = engine();
        let mut cell = Cell::default();
        let scope = engine.scope_begin().unwrap();
        let futures: Vec<_> = (0..31)
            .map(|reader| {
                engine.task_begin(1, 1, scope).unwrap();
                read(&mut engine, &mut cell, 10 + reader);
                let set = engine.promise_set(1).unwrap();
                engine.task_end().unwrap();
                set
            })
            .collect();
        for future in &futures[6..20] {
            engine.promise_get(*future, 1).unwrap();
        }
        // The thirty-second: now they are gone through.
        assert_eq!(read(&mut engine, &mut cell, 5), 0);
        for (_, future) in (0..).zip(&futures).filter(|(reader, _)| *reader != left_out) {
            engine.promise_get(*future, 1).unwrap();
        }
        assert_eq!(write(&mut engine, &mut cell, 6), 1);
        assert_eq!(engine.site_of(engine.judge.conflicts()[0].first), 10 + left_out);
    }
}

/// `async{ async{ finish{ p2.set; p0.set; p3.set; write L }; p1.set; p1.get };
///         finish{ read L; async{ p3.get; read L } }; p3.get }; write M; read L`:
/// the owner's later joins must not leak back through a promise (DRDP, Figure 8).
#[test]
fn later_joins_do_not_leak_through_a_promise() {
    let mut engine = engine();
    let mut location = Cell::default();
    let all = engine.scope_begin().unwrap();
    engine.task_begin(1, 1, all).unwrap();
    engine.task_begin(1, 1, all).unwrap();
    let inner = engine.scope_begin().unwrap();
    engine.promise_set(1).unwrap();
    engine.promise_set(1).unwrap();
    let p3 = engine.promise_set(1).unwrap();
    write(&mut engine, &mut location, 10);
    engine.scope_end(inner).unwrap();
    let p1 = engine.promise_set(1).unwrap();
    engine.promise_get(p1, 1).unwrap();
    engine.task_end().unwrap();
    let finish = engine.scope_begin().unwrap();
    assert_eq!(read(&mut engine, &mut location, 11), 1);
    engine.task_begin(1, 1, finish).unwrap();
    engine.promise_get(p3, 1).unwrap();
    assert_eq!(read(&mut engine, &mut location, 12), 1, "the write came after the set");
    engine.task_end().unwrap();
    engine.scope_end(finish).unwrap();
    engine.promise_get(p3, 1).unwrap();
    engine.task_end().unwrap();
    assert_eq!(read(&mut engine, &mut location, 13), 1);
}

/// A pipeline: each stage waits for the one before it, many items in flight.
#[test]
fn a_chain_of_promises_orders_its_ends() {
    let mut engine = engine();
    let mut cells = vec![Cell::default(); 400];
    let scope = engine.scope_begin().unwrap();
    let mut last = None;
    for cell in &mut cells {
        engine.task_begin(1, 1, scope).unwrap();
        if let Some(last) = last {
            engine.promise_get(last, 1).unwrap();
        }
        write(&mut engine, cell, 10);
        last = Some(engine.promise_set(1).unwrap());
        engine.task_end().unwrap();
    }
    engine.task_begin(1, 1, scope).unwrap();
    engine.promise_get(last.unwrap(), 1).unwrap();
    for cell in &mut cells {
        assert_eq!(write(&mut engine, cell, 11), 0);
    }
    engine.task_end().unwrap();
    for cell in &mut cells {
        assert_eq!(read(&mut engine, cell, 12), 1, "its owner has waited for nobody");
    }
}

#[test]
fn a_task_may_outlive_its_parent_but_not_its_scope() {
    let mut engine = engine();
    let mut cell = Cell::default();
    let scope = engine.scope_begin().unwrap();
    engine.task_begin(1, 1, scope).unwrap();
    let child = engine.task_begin(1, 1, scope).unwrap();
    write(&mut engine, &mut cell, 10);
    engine.suspend(engine.current()).unwrap();
    engine.task_end().unwrap();
    assert_eq!(engine.current(), 0);
    assert!(!engine.is_quiet());
    let other = engine.task_begin(1, 1, scope).unwrap();
    assert_ne!(other, child, "a number is its task's until that ends");
    assert_eq!(read(&mut engine, &mut cell, 11), 1);
    engine.resume(child, child).unwrap();
    let own = engine.scope_begin().unwrap();
    engine.task_begin(1, 1, own).unwrap();
    read(&mut engine, &mut cell, 12);
    engine.task_end().unwrap();
    engine.scope_end(own).unwrap();
    assert_eq!(write(&mut engine, &mut cell, 13), 1, "with the reader that is not its own");
    engine.task_end().unwrap();
    engine.task_end().unwrap();
    engine.scope_end(scope).unwrap();
    assert!(engine.is_quiet());
    assert_eq!(write(&mut engine, &mut cell, 14), 0);
}

#[test]
fn a_region_returns_to_depth_first_order() {
    let mut engine = engine();
    let mut cell = Cell::default();
    let outer = engine.scope_begin().unwrap();
    for round in 0..3 {
        // Depth-first: nothing of the general order is made.
        let scope = engine.scope_begin().unwrap();
        engine.task_begin(1, 1, scope).unwrap();
        assert_eq!(write(&mut engine, &mut cell, 10), 0);
        engine.task_end().unwrap();
        engine.scope_end(scope).unwrap();
        assert!(!engine.is_general() && engine.is_quiet(), "round {round}");
        engine.end_region();
        // A promise is set and a task suspended.
        let waiting = engine.scope_begin().unwrap();
        let task = engine.task_begin(1, 1, waiting).unwrap();
        engine.suspend(engine.current()).unwrap();
        assert!(engine.is_general());
        let left_open = engine.scope_begin().unwrap();
        engine.task_begin(1, 1, left_open).unwrap();
        assert_eq!(write(&mut engine, &mut cell, 11), 0);
        let promise = engine.promise_set(1).unwrap();
        engine.resume(task, task).unwrap();
        engine.promise_get(promise, 1).unwrap();
        let own = engine.scope_begin().unwrap();
        assert_eq!(write(&mut engine, &mut cell, 12), 0);
        engine.scope_end(own).unwrap();
        engine.task_end().unwrap();
        engine.task_end().unwrap();
        engine.scope_end(waiting).unwrap();
        assert!(engine.is_general() && engine.is_quiet());
        engine.end_region();
        assert!(!engine.is_general());
        // What was set before the region ended precedes everything.
        engine.task_begin(1, 1, outer).unwrap();
        engine.promise_get(promise, 1).unwrap();
        assert_eq!(write(&mut engine, &mut cell, 13), 0);
        engine.task_end().unwrap();
        assert!(!engine.is_general());
        assert_eq!(read(&mut engine, &mut cell, 14), 1);
        engine.scope_end(outer).unwrap();
        engine.end_region();
        assert_eq!(engine.open_scopes(), 0);
        assert_eq!(engine.scope_begin().unwrap(), outer);
    }
}

/// Scopes of the main task that are still open when the region ends are a stack again.
#[test]
fn scopes_of_the_main_task_outlive_the_region() {
    let mut engine = engine();
    let mut cell = Cell::default();
    let task = engine.task_begin(1, 1, 0).unwrap();
    let short = engine.scope_begin().unwrap();
    engine.suspend(engine.current()).unwrap();
    let outer = engine.scope_begin().unwrap();
    engine.resume(task, task).unwrap();
    engine.scope_end(short).unwrap();
    engine.suspend(engine.current()).unwrap();
    let inner = engine.scope_begin().unwrap();
    engine.resume(task, task).unwrap();
    let promise = engine.promise_set(1).unwrap();
    engine.task_end().unwrap();
    engine.promise_get(promise, 1).unwrap();
    assert!(engine.is_quiet());
    engine.end_region();
    for scope in [inner, outer] {
        engine.task_begin(1, 1, scope).unwrap();
        write(&mut engine, &mut cell, 10);
        engine.task_end().unwrap();
        assert_eq!(read(&mut engine, &mut cell, 11), 1);
        engine.scope_end(scope).unwrap();
        assert_eq!(write(&mut engine, &mut cell, 12), 0);
    }
    assert_eq!(engine.open_scopes(), 0);
}

/// Futures in no scope: when the main task has got them all, nothing is parallel.
#[test]
fn a_region_ends_with_the_last_get() {
    let mut engine = engine();
    let mut cell = Cell::default();
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let futures: Vec<_> = (0..3)
            .map(|_| {
                engine.task_begin(1, 1, 0).unwrap();
                assert_eq!(read(&mut engine, &mut cell, 10), 0);
                let set = engine.promise_set(1).unwrap();
                engine.task_end().unwrap();
                set
            })
            .collect();
        for (got, index) in order.into_iter().enumerate() {
            assert!(!engine.is_quiet());
            engine.promise_get(futures[index], 1).unwrap();
            assert_eq!(engine.is_quiet(), got == 2);
        }
        engine.end_region();
        assert_eq!(write(&mut engine, &mut cell, 11), 0);
    }
    // One that does something after its set is not waited for.
    engine.task_begin(1, 1, 0).unwrap();
    let promise = engine.promise_set(1).unwrap();
    write(&mut engine, &mut cell, 12);
    engine.task_end().unwrap();
    engine.promise_get(promise, 1).unwrap();
    assert!(!engine.is_quiet());
}

/// A lock handed over between tasks that have waited: the class is milder. What is released before a
/// get does not hold what was got.
#[test]
fn releases_know_what_preceded_them_and_no_more() {
    let mut engine = engine();
    let (mut data, mut flag) = (Cell::default(), Cell::default());
    let scope = engine.scope_begin().unwrap();
    engine.task_begin(1, 1, scope).unwrap();
    write(&mut engine, &mut data, 10);
    let promise = engine.promise_set(1).unwrap();
    engine.task_end().unwrap();
    for get_first in [false, true] {
        engine.task_begin(1, 1, scope).unwrap();
        if get_first {
            engine.promise_get(promise, 1).unwrap();
        }
        engine.atomic(&mut flag, Kind::Store, 0xff, 11, RELEASE).unwrap();
        if !get_first {
            engine.promise_get(promise, 1).unwrap();
        }
        engine.task_end().unwrap();
        engine.task_begin(1, 1, scope).unwrap();
        engine.atomic(&mut flag, Kind::Load, 0xff, 12, ACQUIRE).unwrap();
        assert_eq!(read(&mut engine, &mut data, 13), 1);
        assert_eq!(engine.judge.conflicts()[0].is_data_race(), !get_first);
        engine.task_end().unwrap();
    }
}

/// What was released while execution was depth-first is known after it was left.
#[test]
fn releases_from_before_stay_good() {
    let mut engine = engine();
    let (mut data, mut flag) = (Cell::default(), Cell::default());
    let scope = engine.scope_begin().unwrap();
    engine.task_begin(1, 1, scope).unwrap();
    write(&mut engine, &mut data, 10);
    engine.atomic(&mut flag, Kind::Store, 0xff, 11, RELEASE).unwrap();
    engine.task_end().unwrap();
    engine.task_begin(1, 1, scope).unwrap();
    engine.promise_set(1).unwrap();
    assert!(engine.is_general());
    engine.atomic(&mut flag, Kind::Load, 0xff, 12, ACQUIRE).unwrap();
    assert_eq!(read(&mut engine, &mut data, 13), 1);
    assert!(!engine.judge.conflicts()[0].is_data_race());
}

/// `scope(|s1| { scope(|s2| { s2.spawn(read); s1.spawn(read); read }); write })`, depth-first: the
/// second reader joins later than the first.
#[test]
fn a_reader_that_joins_later_is_kept() {
    let mut engine = engine();
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
    assert!(!engine.is_general());
    assert_eq!(write(&mut engine, &mut cell, 13), 1);
}

#[test]
fn tasks_of_an_access_are_found_in_any_order() {
    let mut engine = engine();
    let mut cell = Cell::default();
    let scope = engine.scope_begin().unwrap();
    engine.task_begin(1, 101, scope).unwrap();
    let inner = engine.task_begin(2, 102, scope).unwrap();
    engine.suspend(engine.current()).unwrap();
    engine.task_begin(3, 103, scope).unwrap();
    write(&mut engine, &mut cell, 10);
    engine.resume(inner, inner).unwrap();
    engine.task_begin(4, 104, scope).unwrap();
    assert_eq!(write(&mut engine, &mut cell, 11), 1);
    let mut tasks = Vec::new();
    let common = engine.tasks_of(engine.judge.conflicts()[0].first, |task| tasks.push(task.site));
    assert_eq!((tasks, common), (vec![103], 1), "both are in the first task");
    let running: Vec<_> = engine.running().map(Frame::site).collect();
    assert_eq!(running, [104, 102, 101]);
}

/// Either of a store and a swap is as bad as the other: of those of one step, one has to stay.
#[test]
fn a_step_that_stores_and_swaps_has_written() {
    let relaxed = Ordering { acquires: false, releases: false };
    for kinds in [[Kind::Store, Kind::Swap], [Kind::Swap, Kind::Store]] {
        let mut engine = engine();
        let mut cell = Cell::default();
        let scope = engine.scope_begin().unwrap();
        for reader in 0..8 {
            engine.task_begin(1, 1, scope).unwrap();
            read(&mut engine, &mut cell, 10 + reader);
            engine.promise_set(1).unwrap();
            engine.task_end().unwrap();
        }
        engine.task_begin(1, 1, scope).unwrap();
        for (site, kind) in (20..).zip(kinds) {
            engine.atomic(&mut cell, kind, 0xff, site, relaxed).unwrap();
        }
        engine.task_end().unwrap();
        engine.task_begin(1, 1, scope).unwrap();
        assert!(read(&mut engine, &mut cell, 30) > 0);
        assert_eq!(engine.site_of(engine.judge.conflicts()[0].first), 20);
    }
}
