//! Accesses that tell nothing new, and those that only look like it.

use rosser_detect::kind::Kind;
use rosser_detect::kind::Ordering;
use rosser_detect::sf_order::history::Atomic;
use rosser_detect::sf_order::log::Id;
use rosser_detect::sf_order::worker::Worker;

use crate::run::{Run, read};

/// Both halves of a word.
const HALVES: [u8; 2] = [0x0f, 0xf0];

/// A word that many tasks read in parts, the last of which has read the lower half.
fn crowd(run: &mut Run) {
    for halves in [&HALVES[..], &HALVES[..1]] {
        let task = run.spawn();
        run.run(&task, |run| {
            for half in halves {
                run.read(0, *half);
            }
        });
    }
}

#[test]
fn one_of_a_crowd_stands_for_the_next() {
    let mut run = Run::new();
    crowd(&mut run);
    let next = run.spawn();
    run.run(&next, |run| {
        assert!(run.is_stood_in_for(0, 0x0f));
        assert!(run.is_stood_in_for(0, 0x03));
        assert!(!run.is_stood_in_for(0, 0xf0), "the last has not read it");
    });
    let writer = run.spawn();
    assert!(run.run(&writer, |run| run.write(0)).0);
    let next = run.spawn();
    run.run(&next, |run| assert!(!run.is_stood_in_for(0, 0x0f), "somebody writes"));
}

#[test]
fn of_several_reads_those_of_one_step_stand_together() {
    let mut run = Run::new();
    crowd(&mut run);
    let other = run.spawn();
    run.run(&other, |run| run.read(0, 0xf0));
    let next = run.spawn();
    run.run(&next, |run| {
        assert!(run.is_stood_in_for(0, 0xf0));
        assert!(!run.is_stood_in_for(0, 0xff), "no step has read both halves");
    });
}

#[test]
fn what_precedes_a_read_does_not_stand_for_it() {
    let mut run = Run::new();
    crowd(&mut run);
    assert!(run.is_stood_in_for(0, 0x0f));
    run.end();
    assert!(!run.is_stood_in_for(0, 0x0f));
}

#[test]
fn what_a_worker_did_before_it_took_something_else_does_not_stand() {
    let mut run = Run::new();
    crowd(&mut run);
    run.worker.begin_run();
    let stolen = run.spawn();
    run.run(&stolen, |run| assert!(!run.is_stood_in_for(0, 0x0f)));
}

#[test]
fn readers_of_memory_that_was_freed_do_not_stand_for_those_of_the_next_block() {
    let mut run = Run::new();
    crowd(&mut run);
    let tasks = [run.spawn(), run.spawn()];
    run.worker.forget(&mut run.words.lock(), 0);
    let mut other = run.another_worker();
    for (task, halves) in tasks.iter().zip([&HALVES[..], &HALVES[..1]]) {
        let outer = other.begin(task).unwrap();
        for half in halves {
            read(&mut other, &run.words, 0, *half);
        }
        other.end(outer).unwrap();
    }
    let next = run.spawn();
    run.run(&next, |run| assert!(!run.is_stood_in_for(0, 0x0f)));
}

fn atomic(worker: &mut Worker, run: &Run, kind: Kind, old: u64, new: u64) -> Id {
    let id = worker.id_of(3).unwrap();
    let ordering = Ordering { acquires: false, releases: false };
    let atomic = Atomic { kind, ordering, old, new };
    worker.atomic(&mut run.words.lock(), 0, &atomic, 0xff, id, 3).unwrap();
    while worker.take_conflict().is_some() {}
    id
}

#[test]
fn a_load_is_known_until_the_word_changes_or_another_step_begins() {
    let mut run = Run::new();
    let mut worker = run.another_worker();
    let (task, other) = (run.spawn(), run.spawn());
    let outer = worker.begin(&task).unwrap();
    let is_loaded =
        |worker: &mut Worker, run: &Run, value| worker.loaded(run.words.cell(0), 0xff, || value);
    assert_eq!(is_loaded(&mut worker, &run, 0), None);
    let id = atomic(&mut worker, &run, Kind::Load, 0, 0);
    assert_eq!(is_loaded(&mut worker, &run, 0), Some(id));
    assert_eq!(is_loaded(&mut worker, &run, 5), None, "code that is not instrumented has written");
    assert_eq!(worker.loaded(run.words.cell(1), 0xff, || 0), None);
    assert_eq!(worker.loaded(run.words.cell(0), 0x0f, || 0), None);

    let mut other_worker = std::mem::replace(&mut run.worker, Run::new().worker);
    let main = other_worker.begin(&other).unwrap();
    atomic(&mut other_worker, &run, Kind::Load, 0, 0);
    assert_eq!(is_loaded(&mut worker, &run, 0), Some(id), "another load changes nothing");
    atomic(&mut other_worker, &run, Kind::Add, 0, 0);
    assert_eq!(is_loaded(&mut worker, &run, 0), None, "an addition does, even of nothing");
    other_worker.end(main).unwrap();

    let id = atomic(&mut worker, &run, Kind::Load, 0, 0);
    assert_eq!(is_loaded(&mut worker, &run, 0), Some(id));
    worker.fence(3, Ordering { acquires: false, releases: true }).unwrap();
    assert_eq!(is_loaded(&mut worker, &run, 0), None);
    worker.end(outer).unwrap();
}

#[test]
fn bytes_that_are_forgotten_are_new_and_others_are_not() {
    let mut run = Run::new();
    crowd(&mut run);
    let [lower, upper] = HALVES;
    let next = run.spawn();
    run.run(&next, |run| {
        run.forget(0, lower);
        assert!(!run.is_stood_in_for(0, lower));
        assert!(!run.write_bytes(0, lower));
        assert!(run.write_bytes(0, upper));
    });
    // The same without a record.
    let writer = run.spawn();
    run.run(&writer, |run| assert!(!run.write(1)));
    let next = run.spawn();
    run.run(&next, |run| {
        run.forget(1, upper);
        assert!(!run.write_bytes(1, upper));
        assert!(run.write_bytes(1, lower));
        run.forget(1, 0xff);
    });
    let last = run.spawn();
    run.run(&last, |run| assert!(!run.write(1)));
}
