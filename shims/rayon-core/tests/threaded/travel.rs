//! Tasks that another worker runs, or a worker that waits: their pool, number and level of
//! splitting are those of the task that forked them.

use std::env;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread;

use rayon_core::ThreadPoolBuilder;

use crate::runtime::on_workers;
use crate::{Event, place, pool};

#[test]
fn the_second_half_of_a_join_is_in_the_pool_of_the_first() {
    on_workers(2, || {
        let pool = pool(3);
        let started = Event::default();
        let first = || {
            started.wait();
            place()
        };
        let second = || {
            started.happen();
            place()
        };
        let outside = place();
        assert_eq!(pool.join(first, second), ((Some(0), 3), (Some(1), 3)));
        assert_eq!(pool.install(place), (Some(0), 3));
        assert_eq!(place(), outside);
    });
}

#[test]
fn outside_of_pools_it_is_in_the_global_one() {
    on_workers(2, || {
        let global = rayon_core::current_num_threads();
        let started = Event::default();
        let second = || {
            started.happen();
            place()
        };
        let (index, threads) = rayon_core::join(|| started.wait(), second).1;
        assert_eq!((index.is_some(), threads), (true, global));
        assert_eq!(place(), (None, global));
    });
}

#[test]
fn a_worker_that_waits_runs_a_task_of_another_pool() {
    on_workers(2, || {
        let (inner, outer) = (pool(5), pool(2));
        let (started, done) = (Event::default(), Arc::new(Event::default()));
        let (sender, receiver) = channel();
        outer.install(|| {
            rayon_core::join(
                || {
                    started.wait();
                    let done = Arc::clone(&done);
                    inner.spawn(move || {
                        sender.send((thread::current().id(), place())).unwrap();
                        done.happen();
                    });
                },
                || {
                    // As long as this runs there is but the waiting worker for the other task.
                    started.happen();
                    done.wait();
                },
            );
            assert_eq!(place(), (Some(0), 2));
        });
        assert_eq!(receiver.recv().unwrap(), (thread::current().id(), (Some(0), 5)));
    });
}

#[test]
fn tasks_of_a_scope_are_in_its_pool() {
    on_workers(2, || {
        let of_scope = pool(3);
        let started = Event::default();
        let mut inside = None;
        of_scope.in_place_scope(|s| {
            assert_eq!(rayon_core::current_thread_index(), None);
            s.spawn(|_| {
                inside = Some(place());
                started.happen();
            });
            started.wait();
            assert_eq!(rayon_core::current_thread_index(), None);
        });
        assert_eq!(inside, Some((Some(1), 3)));
        assert_eq!(rayon_core::current_thread_index(), None);
    });
}

#[test]
fn a_task_of_a_scope_outlives_the_pool_it_was_spawned_in() {
    on_workers(2, || {
        let of_scope = pool(3);
        let (started, dropped) = (Event::default(), Event::default());
        of_scope.scope(|s| {
            let other = pool(5);
            other.install(|| {
                s.spawn(|_| {
                    started.happen();
                    dropped.wait();
                    assert_eq!(place(), (Some(1), 3));
                });
                started.wait();
                assert_eq!(place(), (Some(0), 5));
            });
            drop(other);
            dropped.happen();
        });
    });
}

#[test]
fn a_detached_task_keeps_its_pool() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let note = |what: &'static str| {
        let log = Arc::clone(&log);
        move |index: usize| log.lock().unwrap().push((what, index))
    };
    on_workers(2, || {
        let builder = ThreadPoolBuilder::new().num_threads(2).exit_handler(note("exit"));
        let (sender, panics) = channel();
        let builder = builder.panic_handler(move |_| sender.send(()).unwrap());
        let pool = builder.build().unwrap();
        let dropped = Arc::new(Event::default());
        pool.spawn({
            let (note, dropped) = (note("task"), Arc::clone(&dropped));
            move || {
                dropped.wait();
                assert_eq!(rayon_core::current_num_threads(), 2);
                rayon_core::spawn(|| panic!("the handler is still there"));
                note(0);
            }
        });
        pool.spawn_broadcast({
            let (note, dropped) = (note("call"), Arc::clone(&dropped));
            move |context| {
                dropped.wait();
                assert_eq!(place(), (Some(context.index()), 2));
                note(0);
            }
        });
        note("drop")(0);
        drop(pool);
        dropped.happen();
        // Ends when the handler is dropped, and with it the pool.
        assert_eq!(panics.iter().count(), 1);
    });
    let log = log.lock().unwrap();
    assert_eq!(log[0], ("drop", 0));
    assert_eq!(log.iter().filter(|entry| entry.0 == "call").count(), 2);
    assert_eq!(log.iter().filter(|entry| entry.0 == "task").count(), 1);
    assert_eq!(log[4..], [("exit", 0), ("exit", 1)]);
}

#[test]
fn calls_of_a_broadcast_run_at_the_same_time() {
    on_workers(2, || {
        let pool = pool(2);
        let arrived = [Event::default(), Event::default()];
        let indices = pool.broadcast(|context| {
            arrived[context.index()].happen();
            arrived[1 - context.index()].wait();
            let here = thread::current().id();
            let ask = || (thread::current().id(), place());
            let (a, b) = rayon_core::join(ask, ask);
            // What a call forks is the same thread of the pool.
            assert_eq!(a, (here, (Some(context.index()), 2)));
            assert_eq!(b, a);
            context.index()
        });
        assert_eq!(indices, [0, 1]);
    });
}

#[test]
fn levels_of_splitting_travel_with_stolen_halves() {
    fn split(levels: usize) -> usize {
        let started = Event::default();
        let ((), deepest) = rayon_core::join_context(
            |_| started.wait(),
            |context| {
                started.happen();
                if context.migrated() { split(levels + 1) } else { levels }
            },
        );
        deepest
    }
    on_workers(2, || assert_eq!(pool(2).install(|| split(0)), 384));
}

#[test]
fn levels_of_splitting_travel_with_tasks_of_scopes() {
    fn split(levels: usize, deepest: &AtomicUsize) {
        let in_scope = || {
            let started = Event::default();
            rayon_core::scope(|s| {
                s.spawn(|_| {
                    started.happen();
                    split(levels + 1, deepest);
                });
                started.wait();
            });
        };
        rayon_core::join_context(
            |context| {
                if context.migrated() {
                    in_scope();
                } else {
                    deepest.store(levels, Ordering::Relaxed);
                }
            },
            |_| (),
        );
    }
    on_workers(2, || {
        let deepest = AtomicUsize::new(0);
        pool(2).install(|| split(0, &deepest));
        assert_eq!(deepest.into_inner(), 384);
    });
}

#[test]
fn numbers_are_not_shared_by_what_runs_at_the_same_time() {
    /// A task that forks nothing marks its number as used while it runs.
    fn tree(levels: usize, used: &[AtomicBool]) -> usize {
        if levels > 0 {
            let below = || tree(levels - 1, used);
            let (mut c, mut d) = (0, 0);
            let (a, b) = rayon_core::join(below, below);
            rayon_core::scope(|s| {
                s.spawn(|_| c = below());
                s.spawn(|_| d = below());
            });
            return a + b + c + d;
        }
        let index = rayon_core::current_thread_index().unwrap();
        assert!(!used[index].swap(true, Ordering::Relaxed));
        thread::yield_now();
        assert_eq!(rayon_core::current_thread_index(), Some(index));
        used[index].store(false, Ordering::Relaxed);
        1
    }
    on_workers(4, || {
        let used: [_; 4] = Default::default();
        assert_eq!(pool(4).install(|| tree(5, &used)), 1024);
    });
}

#[test]
fn the_thread_that_a_pool_has_adopted_is_its_first() {
    // The thread is used up afterwards.
    let used = thread::spawn(|| {
        on_workers(2, || {
            let builder = ThreadPoolBuilder::new().num_threads(2).use_current_thread();
            let pool = builder.build().unwrap();
            let done = Arc::new(Event::default());
            let (sender, receiver) = channel();
            pool.spawn({
                let done = Arc::clone(&done);
                move || {
                    sender.send(place()).unwrap();
                    done.happen();
                }
            });
            done.wait();
            assert_eq!(receiver.recv().unwrap(), (Some(1), 2));
            assert_eq!(place(), (Some(0), 2));
        });
    });
    used.join().unwrap();
}

#[test]
fn there_are_threads_for_all_workers() {
    if env::var_os("RAYON_NUM_THREADS").or_else(|| env::var_os("RAYON_RS_NUM_CPUS")).is_some() {
        return;
    }
    let workers = thread::available_parallelism().unwrap().get() + 1;
    on_workers(workers, || assert_eq!(pool(0).current_num_threads(), workers));
}
