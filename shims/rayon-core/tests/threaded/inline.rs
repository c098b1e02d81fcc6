//! Pools with fewer threads than there are workers: what is forked in them stays on its thread.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::thread::{self, ThreadId};

use crate::runtime::{is_inline, on_workers};
use crate::{Event, place, pool};

type Seen = (ThreadId, (Option<usize>, usize));

fn see() -> Seen {
    (thread::current().id(), place())
}

#[test]
fn tasks_of_a_small_pool_run_at_once() {
    on_workers(2, || {
        let small = pool(1);
        let here = (thread::current().id(), (Some(0), 1));
        assert_eq!(small.join(see, see), (here, here));
        small.scope(|s| {
            let order = Mutex::new(Vec::new());
            rayon_core::scope(|t| {
                t.spawn(|_| order.lock().unwrap().push((1, see())));
                order.lock().unwrap().push((2, see()));
                s.spawn(|_| assert_eq!(see(), here));
            });
            assert_eq!(order.into_inner().unwrap(), [(1, here), (2, here)]);
        });
        assert!(!is_inline());
    });
}

#[test]
fn tasks_from_outside_do_as_well() {
    on_workers(2, || {
        let (small, big) = (pool(1), pool(2));
        let here = (thread::current().id(), (Some(0), 1));
        let forks = || {
            let (sender, receiver) = channel();
            small.in_place_scope(|s| {
                s.spawn(|_| sender.send(see()).unwrap());
                assert_eq!(receiver.try_recv(), Ok(here));
                s.spawn_broadcast(|_, _| sender.send(see()).unwrap());
                assert_eq!(receiver.try_recv(), Ok(here));
            });
            let other = sender.clone();
            small.spawn(move || sender.send(see()).unwrap());
            assert_eq!(receiver.try_recv(), Ok(here));
            small.spawn_broadcast(move |_| other.send(see()).unwrap());
            assert_eq!(receiver.try_recv(), Ok(here));
            assert_eq!(small.broadcast(|_| see()), [here]);
            assert!(!is_inline());
        };
        forks();
        big.install(forks);
    });
}

#[test]
fn every_call_of_a_small_broadcast_is_its_thread() {
    on_workers(3, || {
        let small = pool(2);
        let here = thread::current().id();
        let seen = small.broadcast(|_| rayon_core::join(see, see).1);
        assert_eq!(seen, [(here, (Some(0), 2)), (here, (Some(1), 2))]);
    });
}

#[test]
fn a_big_pool_inside_a_small_one_has_all_workers() {
    on_workers(2, || {
        let (small, big) = (pool(1), pool(2));
        small.install(|| {
            assert!(is_inline());
            let started = Event::default();
            let second = || {
                started.happen();
                // The other way round, on another worker.
                assert_eq!(small.join(place, place), ((Some(0), 1), (Some(0), 1)));
                assert!(!is_inline());
                place()
            };
            assert_eq!(big.join(|| started.wait(), second).1, (Some(1), 2));
            assert!(is_inline());
            assert_eq!(place(), (Some(0), 1));
        });
        assert!(!is_inline());
    });
}

#[test]
fn a_panic_leaves_the_small_pool() {
    on_workers(2, || {
        let small = pool(1);
        let outcome = catch_unwind(AssertUnwindSafe(|| small.install(|| panic!("inside"))));
        assert!(outcome.is_err());
        assert!(!is_inline());
        assert_eq!(small.current_thread_index(), None);
    });
}

#[test]
fn threads_that_are_not_checked_have_pools_of_any_size() {
    on_workers(2, || {
        let small = pool(1);
        thread::scope(|s| {
            s.spawn(|| {
                let here = (thread::current().id(), (Some(0), 1));
                assert_eq!(small.join(see, see), (here, here));
                assert!(!is_inline());
            });
        });
    });
}
