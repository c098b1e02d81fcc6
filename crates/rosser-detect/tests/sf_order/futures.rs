//! Futures that are got: who follows whom, by what accesses are in conflict.

use rosser_detect::kind::Kind;

use crate::run::Run;

#[test]
fn who_gets_a_future_follows_it() {
    let mut run = Run::new();
    let future = run.future();
    let (is_in_conflict, ended) = run.run(&future, |run| run.write(0) | run.write(1));
    assert!(!is_in_conflict);
    assert!(run.write(0), "the future is parallel until it is got");
    run.get(&future, ended);
    assert!(!run.write(1));
}

#[test]
fn who_gets_a_future_follows_what_that_has_got() {
    let mut run = Run::new();
    let inner = run.future();
    let (_, inner_ended) = run.run(&inner, |run| run.write(0) | run.write(1));
    let outer = run.future();
    let ((), outer_ended) = run.run(&outer, |run| run.get(&inner, inner_ended));
    let beside = run.spawn();
    assert!(run.run(&beside, |run| run.write(0)).0);
    run.get(&outer, outer_ended);
    assert!(!run.write(1));
}

#[test]
fn what_a_future_starts_and_does_not_wait_for_is_parallel_with_who_gets_it() {
    let mut run = Run::new();
    let future = run.future();
    let (child, ended) = run.run(&future, Run::spawn);
    run.run(&child, |run| assert!(!run.write(0) && !run.write(1)));
    run.get(&future, ended);
    assert!(run.write(0));
    run.end();
    assert!(!run.write(1), "the scope waits for all");
}

#[test]
fn what_a_task_has_got_is_passed_on_to_those_that_it_starts_and_that_wait_for_it() {
    let mut run = Run::new();
    let future = run.future();
    let (_, ended) = run.run(&future, |run| run.write(0) | run.write(1));
    let getter = run.spawn();
    run.run(&getter, |run| {
        run.get(&future, ended);
        let child = run.spawn();
        assert!(!run.run(&child, |run| run.write(0)).0);
    });
    assert!(run.write(1), "another task has got it");
    run.end();
    assert!(!run.write(0) && !run.write(1));
}

#[test]
fn only_who_follows_its_creation_may_get_a_future() {
    let mut run = Run::new();
    let before = run.spawn();
    let future = run.future();
    let after = run.spawn();
    assert!(run.worker.may_get(&future));
    let may_get = |run: &mut Run| run.worker.may_get(&future);
    assert!(!run.run(&before, may_get).0, "it may come before the future is created");
    assert!(run.run(&after, may_get).0);
    assert!(!run.run(&future, may_get).0, "it would wait for itself");
}

#[test]
fn a_future_that_another_has_created_can_be_got_after_that_one() {
    let mut run = Run::new();
    let outer = run.future();
    let (inner, outer_ended) = run.run(&outer, Run::future);
    let (_, inner_ended) = run.run(&inner, |run| run.write(0));
    assert!(!run.worker.may_get(&inner));
    run.get(&outer, outer_ended);
    run.get(&inner, inner_ended);
    assert!(!run.write(0));
}

#[test]
fn isolated_sections_order_weakly_and_so_does_what_was_got_before() {
    let mut run = Run::new();
    let future = run.future();
    let (_, ended) = run.run(&future, |run| run.write(0));
    let (first, second) = (run.spawn(), run.spawn());
    run.run(&first, |run| {
        run.get(&future, ended);
        run.worker.isolated_begin(1).unwrap();
        run.worker.isolated_end(1).unwrap();
    });
    run.run(&second, |run| {
        run.worker.isolated_begin(1).unwrap();
        let id = run.worker.id_of(1).unwrap();
        run.worker.write(&mut run.words.lock(), 0, Kind::Write, 0xff, id).unwrap();
        let conflict = run.worker.take_conflict().expect("no future was got");
        assert!(conflict.hop.is_some(), "the first section has released what its task had got");
        run.worker.isolated_end(1).unwrap();
    });
}
