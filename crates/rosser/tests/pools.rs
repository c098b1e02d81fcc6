//! Tasks in pools of the user's own, and beside rayon's own operations.

use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use rayon_core::{ThreadPool, ThreadPoolBuilder, join};
use rosser::{Promise, Setter, finish};

fn pool(workers: usize) -> ThreadPool {
    let builder = ThreadPoolBuilder::new().num_threads(workers);
    builder.thread_name(move |_| format!("pool-of-{workers}")).build().unwrap()
}

#[test]
fn tasks_run_in_the_pool_they_are_installed_in() {
    pool(3).install(|| {
        let gate = Promise::new();
        finish(|s| {
            for _ in 0..50 {
                s.spawn(|_| {
                    gate.get();
                    assert_eq!(thread::current().name(), Some("pool-of-3"));
                });
            }
            gate.set(());
        });
    });
}

#[test]
fn tasks_stay_in_the_pool_of_their_finish() {
    let other = pool(2);
    pool(3).install(|| {
        finish(|s| {
            // Spawned by a worker of another pool, and by a thread of none.
            other.install(|| {
                s.spawn(|_| assert_eq!(thread::current().name(), Some("pool-of-3")));
            });
            thread::scope(|threads| {
                threads.spawn(|| {
                    s.spawn(|_| assert_eq!(thread::current().name(), Some("pool-of-3")));
                });
            });
        });
    });
}

#[test]
fn tasks_of_two_pools_wake_one_another() {
    let (mine, yours) = (pool(2), pool(1));
    let (there, back) = (Promise::outside(), Promise::outside());
    thread::scope(|threads| {
        threads.spawn(|| mine.install(|| finish(|s| s.spawn(|_| there.set(1)))));
        threads.spawn(|| yours.install(|| finish(|s| s.spawn(|_| back.set(there.get() + 1)))));
        mine.install(|| finish(|s| s.spawn(|_| assert_eq!(*back.get(), 2))));
    });
}

#[test]
fn finishes_inside_rayons_join() {
    fn tree(depth: u32) -> usize {
        if depth == 0 {
            let count = AtomicUsize::new(0);
            finish(|s| {
                for _ in 0..4 {
                    s.spawn(|_| _ = count.fetch_add(1, Relaxed));
                }
            });
            return count.into_inner();
        }
        let (left, right) = join(|| tree(depth - 1), || tree(depth - 1));
        left + right
    }
    assert_eq!(tree(8), 1024);
    for workers in [1, 2, 4] {
        assert_eq!(pool(workers).install(|| tree(8)), 1024);
    }
}

#[test]
fn rayons_join_inside_tasks() {
    fn sum(from: u64, to: u64) -> u64 {
        if to - from < 16 {
            return (from..to).sum();
        }
        let middle = u64::midpoint(from, to);
        let (left, right) = join(|| sum(from, middle), || sum(middle, to));
        left + right
    }
    let sums: Vec<Promise<u64>> = (0..64).map(|_| Promise::new()).collect();
    let sums = &sums;
    finish(|s| {
        for i in (0..64).rev() {
            s.spawn(move |_| {
                // In the middle of a join the task waits for its neighbour.
                let (before, own) = join(
                    || if i == 0 { 0 } else { *sums[i - 1].get() },
                    || sum(i as u64 * 100, (i as u64 + 1) * 100),
                );
                sums[i].set(before + own);
            });
        }
    });
    assert_eq!(*sums[63].get(), 6400 * 6399 / 2);
}

#[test]
fn a_get_outside_any_task_lets_the_worker_work() {
    let pool = pool(1);
    let promise = Promise::new();
    let result = pool.install(|| {
        join(
            || *promise.get(),
            || {
                // Run by the one worker, while it waits on the left.
                promise.set(5);
            },
        )
        .0
    });
    assert_eq!(result, 5);
    let setter = Setter::new(&promise);
    drop(setter);
}

#[test]
fn a_pool_may_be_dropped_after_its_last_finish() {
    for _ in 0..20 {
        let gate = Promise::new();
        let gate = &gate;
        pool(2).install(|| {
            finish(|s| {
                for _ in 0..20 {
                    s.spawn(move |_| *gate.get());
                }
                s.spawn(move |_| gate.set(()));
            });
        });
    }
}

#[test]
fn a_task_that_was_woken_is_not_forgotten_in_a_join() {
    let pool = pool(2);
    for _ in 0..200 {
        let (go, done) = (Promise::new(), Promise::new());
        let meeting = Barrier::new(2);
        pool.install(|| {
            finish(|s| {
                s.spawn(|_| done.set(*go.get()));
                s.spawn(|_| {
                    // The right half goes to the other worker and waits there, outside any task, for
                    // the task above, which the left half wakes.
                    let halves = join(
                        || {
                            meeting.wait();
                            go.set(3);
                        },
                        || {
                            meeting.wait();
                            *done.get()
                        },
                    );
                    assert_eq!(halves.1, 3);
                });
            });
        });
    }
}
