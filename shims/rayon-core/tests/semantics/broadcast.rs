//! Broadcasts: one call per thread, with the threads' numbers, as parallel tasks.

use std::sync::Mutex;
use std::sync::mpsc::channel;

use rayon_core::{ThreadPool, ThreadPoolBuilder};
use rosser_abi::run_file::task;

use crate::runtime::{Event, events_of};

fn pool_of_two() -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(2).build().unwrap()
}

/// Two calls of a broadcast in this scope.
fn two_calls(scope: u64) -> Vec<Event> {
    let call = Event::Spawn(task::BROADCAST, scope);
    vec![Event::ScopeBegin(scope), call, Event::End, call, Event::End, Event::ScopeEnd(scope)]
}

#[test]
fn results_come_in_the_order_of_threads() {
    let pool = ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let results = pool.broadcast(|context| (context.index(), context.num_threads()));
    assert_eq!(results, [(0, 3), (1, 3), (2, 3)]);
    let count = rayon_core::broadcast(|context| context.index()).len();
    assert_eq!(count, rayon_core::current_num_threads());
}

#[test]
fn each_call_is_its_thread() {
    let pool = ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let indices = pool.broadcast(|_| {
        let (index, ()) = rayon_core::join(rayon_core::current_thread_index, || ());
        // To run something in the pool one is already in keeps the number.
        assert_eq!(pool.install(rayon_core::current_thread_index), index);
        index
    });
    assert_eq!(indices, [Some(0), Some(1), Some(2)]);
}

#[test]
fn calls_are_parallel_tasks_of_a_scope() {
    let pool = pool_of_two();
    let events = events_of(|| drop(pool.broadcast(|_| ())));
    assert_eq!(events, two_calls(1));
}

#[test]
fn a_detached_broadcast_is_a_task_that_joins_the_calls() {
    let pool = pool_of_two();
    let (sender, receiver) = channel();
    let events =
        events_of(|| pool.spawn_broadcast(move |context| sender.send(context.index()).unwrap()));
    // The closure is gone, too, or this would wait for ever.
    assert_eq!(receiver.iter().collect::<Vec<_>>(), [0, 1]);
    let expected = [vec![Event::Spawn(task::DETACHED, 0)], two_calls(1), vec![Event::End]].concat();
    assert_eq!(events, expected);
}

#[test]
fn a_broadcast_of_a_scope_is_a_task_of_it() {
    let pool = pool_of_two();
    let seen = Mutex::new(Vec::new());
    let events = events_of(|| {
        pool.in_place_scope(|s| {
            s.spawn_broadcast(|s, context| {
                let index = context.index();
                seen.lock().unwrap().push(index);
                s.spawn(|_| ());
            });
        });
        pool.in_place_scope_fifo(|s| {
            s.spawn_broadcast(|_, context| seen.lock().unwrap().push(10 + context.index()));
        });
    });
    assert_eq!(seen.into_inner().unwrap(), [0, 1, 10, 11]);
    let (call, spawn) = (Event::Spawn(task::BROADCAST, 2), Event::Spawn(task::SCOPE_SPAWN, 1));
    let first = [
        &[Event::ScopeBegin(1), spawn, Event::ScopeBegin(2)][..],
        &[call, spawn, Event::End, Event::End],
        &[call, spawn, Event::End, Event::End],
        &[Event::ScopeEnd(2), Event::End, Event::ScopeEnd(1)],
    ]
    .concat();
    let second = [
        vec![Event::ScopeBegin(3), Event::Spawn(task::SCOPE_SPAWN, 3)],
        two_calls(4),
        vec![Event::End, Event::ScopeEnd(3)],
    ]
    .concat();
    assert_eq!(events, [first, second].concat());
}
