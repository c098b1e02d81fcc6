//! What is kept of a word, and what stands for what is not.

use rosser_detect::kind::Kind;
use rosser_detect::kind::Ordering;
use rosser_detect::sf_order::history::Atomic;
use rosser_detect::sf_order::worker::Start;

use crate::run::Run;

const RELAXED: Ordering = Ordering { acquires: false, releases: false };

/// Two reads of one step have one id, so the place of one of them is that of the other. That is still so when
/// the step has written some of the bytes.
#[test]
fn reads_at_several_places_stay_inexact_when_one_of_them_is_written() {
    let mut run = Run::new();
    let other = run.spawn();
    run.read(0, 0x0f);
    run.read(0, 0xf0);
    run.write_bytes(0, 0x0f);
    run.run(&other, |run| {
        let id = run.worker.id_of(1).unwrap();
        run.worker.write(&mut run.words.lock(), 0, Kind::Write, 0xf0, id).unwrap();
        let conflict = run.worker.take_conflict().expect("the second read is parallel");
        assert!(conflict.first.inexact);
    });
}

fn add(run: &mut Run, word: usize) -> bool {
    let id = run.worker.id_of(3).unwrap();
    let atomic = Atomic { kind: Kind::Add, ordering: RELAXED, old: 0, new: 0 };
    run.worker.atomic(&mut run.words.lock(), word, &atomic, 0xff, id, 3).unwrap();
    let is_in_conflict = run.worker.has_conflicts();
    while run.worker.take_conflict().is_some() {}
    is_in_conflict
}

/// Tasks of one scope in an order that has nothing to do with that of their forks.
fn shuffled(run: &mut Run, count: usize) -> Vec<Start> {
    let mut tasks: Vec<Start> = (0..count).map(|_| run.spawn()).collect();
    let mut state = 9_usize;
    for last in (1..count).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        tasks.swap(last, (state >> 33) % (last + 1));
    }
    tasks
}

/// More updates than are kept of a word: of parallel ones that are alike a few stand for all.
#[test]
fn no_update_is_left_out_for_want_of_room_where_others_stand_for_it() {
    let mut run = Run::new();
    let mut tasks = shuffled(&mut run, 5000);
    let reader = tasks.swap_remove(17);
    for task in &tasks {
        assert!(!run.run(task, |run| add(run, 0)).0);
    }
    assert_eq!(run.worker.counts.crowded, 0);
    run.run(&reader, |run| {
        let id = run.worker.id_of(1).unwrap();
        run.worker.write(&mut run.words.lock(), 0, Kind::Write, 0xff, id).unwrap();
        assert!(run.worker.has_conflicts());
        while run.worker.take_conflict().is_some() {}
    });
}
