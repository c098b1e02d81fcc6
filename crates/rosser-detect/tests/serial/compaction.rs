//! Ids get new numbers, and nothing else changes.

use rosser_detect::kind::Kind;
use rosser_detect::serial::cell::Cell;
use rosser_detect::serial::engine::Engine;
use rosser_detect::serial::memory::Storage;

#[test]
fn the_log_is_as_long_as_what_is_remembered() {
    let mut engine = Engine::new(Storage::leaked(1 << 16, 1 << 10));
    let mut shared = Cell::default();
    let mut own;
    let scope = engine.scope_begin().unwrap();
    let write = |engine: &mut Engine, cell: &mut Cell, site| {
        let id = engine.id_of(site).unwrap();
        engine.judge.write(cell, Kind::Write, 0xff, id).unwrap();
    };
    engine.task_begin(1, 500, scope).unwrap();
    write(&mut engine, &mut shared, 10);
    engine.task_end().unwrap();
    for round in 0..5_000 {
        engine.task_begin(2, 600, scope).unwrap();
        own = Cell::default();
        write(&mut engine, &mut own, 20 + round % 3);
        engine.task_end().unwrap();
        if engine.used_ids() > 1_000 {
            assert!(engine.compact(|each| {
                each(std::slice::from_mut(&mut shared));
                each(std::slice::from_mut(&mut own));
            }));
            // Two accesses, each with the beginning and the end of its task.
            assert_eq!(engine.used_ids(), 6);
        }
    }
    engine.task_begin(3, 700, scope).unwrap();
    write(&mut engine, &mut shared, 30);
    let [conflict] = engine.judge.conflicts() else { panic!("{:?}", engine.judge.conflicts()) };
    assert_eq!(engine.site_of(conflict.first), 10);
    let mut tasks = Vec::new();
    engine.tasks_of(conflict.first, |task| tasks.push((task.tag, task.site)));
    assert_eq!(tasks, [(1, 500)]);
}
