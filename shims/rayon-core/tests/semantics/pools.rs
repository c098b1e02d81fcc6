//! Who is inside which pool, and how many threads it has.

use rayon_core::{ThreadPool, ThreadPoolBuilder, Yield};

use crate::runtime::{Event, events_of};

fn pool(num_threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(num_threads).build().unwrap()
}

#[test]
fn outside_of_pools() {
    assert_eq!(rayon_core::current_thread_index(), None);
    assert_eq!(rayon_core::current_thread_has_pending_tasks(), None);
    assert_eq!(rayon_core::yield_now(), None);
    assert_eq!(rayon_core::yield_local(), None);
    let pool = pool(3);
    assert_eq!(pool.current_num_threads(), 3);
    assert_eq!(pool.current_thread_index(), None);
    assert_eq!(pool.current_thread_has_pending_tasks(), None);
    assert_eq!(pool.yield_now(), None);
    assert_eq!(pool.yield_local(), None);
}

#[test]
fn inside_of_a_pool() {
    let pool = pool(3);
    pool.install(|| {
        assert_eq!(rayon_core::current_num_threads(), 3);
        assert_eq!(rayon_core::current_thread_index(), Some(0));
        assert_eq!(rayon_core::current_thread_has_pending_tasks(), Some(false));
        assert_eq!(rayon_core::yield_now(), Some(Yield::Idle));
        assert_eq!(rayon_core::yield_local(), Some(Yield::Idle));
        assert_eq!(pool.current_thread_index(), Some(0));
        assert_eq!(pool.current_thread_has_pending_tasks(), Some(false));
        assert_eq!(pool.yield_now(), Some(Yield::Idle));
        assert_eq!(pool.yield_local(), Some(Yield::Idle));
    });
    assert_eq!(rayon_core::current_thread_index(), None);
}

#[test]
fn nested_pools_are_told_apart() {
    let (outer, inner) = (pool(2), pool(5));
    outer.install(|| {
        inner.install(|| {
            assert_eq!(rayon_core::current_num_threads(), 5);
            assert_eq!(inner.current_thread_index(), Some(0));
            assert_eq!(outer.current_thread_index(), None);
            outer.install(|| assert_eq!(inner.current_thread_index(), None));
            assert_eq!(inner.current_thread_index(), Some(0));
        });
        assert_eq!(rayon_core::current_num_threads(), 2);
        assert_eq!(outer.current_thread_index(), Some(0));
    });
}

#[test]
fn asking_for_the_worker_is_told_to_the_runtime() {
    let (pool, other) = (pool(2), pool(2));
    let events = events_of(|| {
        rayon_core::current_thread_index();
        pool.install(|| {
            rayon_core::current_thread_index();
            pool.current_thread_index();
            other.current_thread_index();
        });
    });
    assert_eq!(events, [Event::WorkerLocal, Event::WorkerLocal]);
}

#[test]
fn forks_outside_enter_the_global_pool() {
    let global = rayon_core::current_num_threads();
    let index = || (rayon_core::current_thread_index(), rayon_core::current_num_threads());
    let inside = (Some(0), global);
    assert_eq!(rayon_core::join(index, index), (inside, inside));
    assert_eq!(rayon_core::scope(|_| index()), inside);
    rayon_core::spawn(move || assert_eq!(index(), inside));
    rayon_core::in_place_scope(|s| {
        assert_eq!(index(), (None, global));
        s.spawn(move |_| assert_eq!(index(), inside));
        assert_eq!(index(), (None, global));
    });
    assert_eq!(index(), (None, global));
}

#[test]
fn methods_of_a_pool_run_in_it() {
    let pool = pool(6);
    let threads = rayon_core::current_num_threads;
    assert_eq!(pool.join(threads, threads), (6, 6));
    assert_eq!(pool.scope(|_| threads()), 6);
    assert_eq!(pool.scope_fifo(|_| threads()), 6);
    assert_eq!(pool.broadcast(|_| threads()), [6; 6]);
    pool.spawn(move || assert_eq!(threads(), 6));
    pool.spawn_fifo(move || assert_eq!(threads(), 6));
    pool.spawn_broadcast(move |_| assert_eq!(threads(), 6));
    let outside = threads();
    pool.in_place_scope(|s| {
        s.spawn(move |_| assert_eq!(threads(), 6));
        assert_eq!(threads(), outside);
    });
    pool.in_place_scope_fifo(|s| {
        s.spawn_fifo(move |_| assert_eq!(threads(), 6));
        assert_eq!(threads(), outside);
    });
}

#[test]
fn a_scope_keeps_its_pool() {
    let (of_scope, other) = (pool(2), pool(5));
    of_scope.scope(|s| {
        other.install(|| s.spawn(|_| assert_eq!(rayon_core::current_num_threads(), 2)));
    });
}

#[test]
fn migrated_unless_split_without_end() {
    fn split(levels: usize) -> usize {
        let (migrated, ()) = rayon_core::join_context(
            |context| if context.migrated() { split(levels + 1) } else { levels },
            |_| (),
        );
        migrated
    }
    let both = rayon_core::join_context(|a| a.migrated(), |b| b.migrated());
    assert_eq!(both, (true, true));
    assert_eq!(split(0), 384);
    // Another recursion, inside, counts for itself.
    assert_eq!(rayon_core::join_context(|_| split(0), |_| split(0)), (384, 384));
}
