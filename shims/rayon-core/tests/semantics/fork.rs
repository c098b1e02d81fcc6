//! The calls of `join`, `scope` and `spawn`, as the runtime sees them, and their order.

use std::cell::Cell;
use std::sync::Mutex;
use std::sync::mpsc::channel;

use rosser_abi::run_file::task;

use crate::runtime::{Event, events_of};

#[test]
fn join_forks_two_tasks_and_returns_both_results() {
    let mut results = (0, "");
    let events = events_of(|| results = rayon_core::join(|| 1, || "two"));
    assert_eq!(results, (1, "two"));
    assert_eq!(events, [Event::Join, Event::End, Event::End]);
}

#[test]
fn the_first_closure_runs_first() {
    let order = Mutex::new(Vec::new());
    rayon_core::join(
        || rayon_core::join(|| order.lock().unwrap().push(1), || order.lock().unwrap().push(2)),
        || order.lock().unwrap().push(3),
    );
    assert_eq!(order.into_inner().unwrap(), [1, 2, 3]);
}

#[test]
fn join_moves_results_that_are_dropped_once() {
    let (left, right) = rayon_core::join(|| vec![1; 1000], || String::from("right"));
    assert_eq!((left.len(), right.as_str()), (1000, "right"));
}

#[test]
fn scope_body_is_no_task_and_children_run_at_once() {
    let order = Mutex::new(Vec::new());
    let mut result = 0;
    let events = events_of(|| {
        result = rayon_core::scope(|s| {
            s.spawn(|s| {
                order.lock().unwrap().push(1);
                s.spawn(|_| order.lock().unwrap().push(2));
                order.lock().unwrap().push(3);
            });
            order.lock().unwrap().push(4);
            22
        });
    });
    assert_eq!(result, 22);
    assert_eq!(order.into_inner().unwrap(), [1, 2, 3, 4]);
    let spawn = Event::Spawn(task::SCOPE_SPAWN, 1);
    assert_eq!(
        events,
        [Event::ScopeBegin(1), spawn, spawn, Event::End, Event::End, Event::ScopeEnd(1)]
    );
}

#[test]
fn fifo_scope_is_a_scope() {
    let order = Mutex::new(Vec::new());
    let events = events_of(|| {
        rayon_core::scope_fifo(|s| s.spawn_fifo(|_| order.lock().unwrap().push(1)));
        rayon_core::in_place_scope_fifo(|s| s.spawn_fifo(|_| order.lock().unwrap().push(2)));
    });
    assert_eq!(order.into_inner().unwrap(), [1, 2]);
    let of_scope = |id| {
        [
            Event::ScopeBegin(id),
            Event::Spawn(task::SCOPE_SPAWN, id),
            Event::End,
            Event::ScopeEnd(id),
        ]
    };
    assert_eq!(events, [of_scope(1), of_scope(2)].concat());
}

#[test]
fn a_task_may_spawn_into_an_outer_scope() {
    let events = events_of(|| {
        rayon_core::scope(|outer| {
            rayon_core::scope(|inner| inner.spawn(move |_| outer.spawn(|_| ())));
        });
    });
    assert_eq!(
        events,
        [
            Event::ScopeBegin(1),
            Event::ScopeBegin(2),
            Event::Spawn(task::SCOPE_SPAWN, 2),
            Event::Spawn(task::SCOPE_SPAWN, 1),
            Event::End,
            Event::End,
            Event::ScopeEnd(2),
            Event::ScopeEnd(1),
        ]
    );
}

#[test]
fn in_place_scope_takes_what_cannot_be_sent() {
    let not_sync = Cell::new(1);
    let result = rayon_core::in_place_scope(|s| {
        s.spawn(|_| ());
        not_sync.set(2);
        not_sync.get()
    });
    assert_eq!(result, 2);
}

#[test]
fn spawn_is_detached_and_has_ended_on_return() {
    let (sender, receiver) = channel();
    let other = sender.clone();
    let events = events_of(|| {
        rayon_core::spawn(move || sender.send(1).unwrap());
        rayon_core::spawn_fifo(move || other.send(2).unwrap());
    });
    assert_eq!(receiver.iter().collect::<Vec<_>>(), [1, 2]);
    let spawn = Event::Spawn(task::DETACHED, 0);
    assert_eq!(events, [spawn, Event::End, spawn, Event::End]);
}

#[test]
fn install_is_no_fork() {
    let pool = rayon_core::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let events = events_of(|| assert_eq!(pool.install(|| 5), 5));
    assert_eq!(events, []);
}

#[test]
fn a_hundred_thousand_joins_deep() {
    fn deep(levels: usize) -> usize {
        if levels == 0 {
            return 0;
        }
        let (below, here) = rayon_core::join(|| deep(levels - 1), || 1);
        below + here
    }
    // A level takes some 300 bytes, half of which are the test's own and the runtime's. Twice
    // that must do.
    let thread = std::thread::Builder::new().stack_size(60_000_000);
    let levels = thread.spawn(|| deep(100_000)).unwrap().join().unwrap();
    assert_eq!(levels, 100_000);
}
