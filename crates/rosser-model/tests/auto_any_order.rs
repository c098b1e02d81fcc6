//! Executions told event by event, in orders that no depth-first run takes: `auto` must say what
//! the oracle says of each.

use rosser_detect::oracle::Oracle;
use rosser_detect::{
    Access, Class, Detail, Detector, Event, Exclusion, LocId, LockId, Operator, PromiseId, SiteId,
    TaskId, TaskKind, TokenId, Trace,
};
use rosser_model::Auto;

const X: LocId = LocId(0);
const Y: LocId = LocId(1);
const READ: Access = Access::Read;
const WRITE: Access = Access::Write;

/// An execution in short words. Each access is a place of its own, numbered from 0.
#[derive(Default)]
struct Run {
    trace: Trace,
    tasks: u32,
    sites: u32,
}

impl Run {
    fn event(&mut self, event: Event) -> &mut Self {
        self.trace.event(event);
        self
    }

    /// Creates the next task: the first is 1.
    fn fork(&mut self) -> &mut Self {
        self.tasks += 1;
        let child = TaskId(self.tasks);
        self.event(Event::Fork { child, kind: TaskKind::Async })
    }

    fn switch(&mut self, task: u32) -> &mut Self {
        self.event(Event::Switch { to: TaskId(task) })
    }

    fn end(&mut self) -> &mut Self {
        self.event(Event::End)
    }

    fn set(&mut self, promise: u32) -> &mut Self {
        self.event(Event::Set { promise: PromiseId(promise) })
    }

    fn get(&mut self, promise: u32) -> &mut Self {
        self.event(Event::Get { promise: PromiseId(promise) })
    }

    fn acquire(&mut self, lock: u32) -> &mut Self {
        self.event(Event::Acquire { lock: LockId(lock) })
    }

    fn release(&mut self, lock: u32) -> &mut Self {
        self.event(Event::Release { lock: LockId(lock) })
    }

    fn access(&mut self, location: LocId, access: Access) -> &mut Self {
        self.trace.access(location, access, SiteId(self.sites));
        self.sites += 1;
        self
    }

    /// What `auto` reports: sites of the two accesses and what excludes them. The oracle must
    /// report the same.
    fn conflicts(&self) -> Vec<(u32, u32, Exclusion)> {
        let mut auto = Auto::new(Detail::Pairs);
        let mut oracle = Oracle::new(Detail::Pairs);
        self.trace.replay(&mut auto);
        self.trace.replay(&mut oracle);
        let found = |detector: &dyn Detector| {
            let races = detector.findings().races().iter();
            let mut all: Vec<_> =
                races.map(|r| (r.first.site.0, r.second.site.0, r.exclusion)).collect();
            all.sort_unstable();
            all
        };
        let (by_auto, by_oracle) = (found(&auto), found(&oracle));
        assert_eq!(by_auto, by_oracle);
        assert_eq!(auto.findings().worst(), oracle.findings().worst());
        by_auto
    }
}

/// Two tasks in turn, each with one access.
fn two_tasks(first: Access, second: Access) -> Vec<(u32, u32, Exclusion)> {
    let mut run = Run::default();
    run.fork().switch(1).access(X, first).end();
    run.switch(0).fork().switch(2).access(X, second).end();
    run.conflicts()
}

/// The parent goes on before its child runs. The child's read was once dropped as the second of
/// two parallel ones, though main's write follows only the first.
#[test]
fn a_parent_that_goes_on_before_its_child() {
    let mut run = Run::default();
    run.fork().access(X, READ);
    run.switch(1).access(X, READ).end();
    run.switch(0).access(X, WRITE);
    assert_eq!(run.conflicts(), [(1, 2, Exclusion::None)]);
}

/// A grandchild that runs last sets a promise: its getter follows the first reader, but not the
/// second, which must still be remembered.
#[test]
fn a_child_that_runs_last_and_sets_a_promise() {
    let mut run = Run::default();
    run.fork().switch(1).access(X, READ).fork().end(); // task 2 is created, not run
    run.switch(0).fork().switch(3).access(X, READ).end();
    run.switch(2).set(0).end();
    run.switch(0).fork().switch(4).get(0).access(X, WRITE).end();
    assert_eq!(run.conflicts(), [(1, 2, Exclusion::None)]);
}

/// The same with the reads the other way round.
#[test]
fn a_child_that_runs_last_and_the_other_reader_first() {
    let mut run = Run::default();
    run.fork().fork();
    run.switch(2).access(X, READ).end();
    run.switch(1).access(X, READ).fork().end();
    run.switch(3).set(0).end();
    run.switch(0).fork().switch(4).get(0).access(X, WRITE).end();
    assert_eq!(run.conflicts(), [(0, 2, Exclusion::None)]);
}

/// Tasks that take turns without a word about why.
#[test]
fn tasks_that_take_turns() {
    let mut run = Run::default();
    run.fork().fork();
    run.switch(1).access(X, READ);
    run.switch(2).access(X, READ);
    run.switch(1).set(0).end();
    run.switch(2).get(0).access(X, WRITE).end();
    run.switch(0).access(X, READ);
    assert_eq!(run.conflicts(), [(2, 3, Exclusion::None)]);
}

#[test]
fn atomic_accesses_that_do_not_commute_are_order_dependent() {
    let add = Access::Update(Operator::Add);
    let cases = [
        (Access::AtomicWrite, Access::AtomicWrite),
        (Access::AtomicWrite, Access::AtomicRead),
        (Access::AtomicRead, Access::AtomicWrite),
        (Access::AtomicRead, add),
        (add, Access::AtomicRead),
        (add, Access::AtomicWrite),
        (add, Access::Update(Operator::Mul)),
        (Access::Update(Operator::Sub), Access::Update(Operator::Sub)),
        (Access::Update(Operator::Div), Access::Update(Operator::Div)),
    ];
    for (first, second) in cases {
        let found = two_tasks(first, second);
        assert_eq!(found, [(0, 1, Exclusion::Atomic)], "{first:?} {second:?}");
        assert_eq!(found[0].2.class(), Class::OrderDependent);
    }
}

#[test]
fn atomic_accesses_that_commute_are_nothing() {
    assert_eq!(two_tasks(Access::AtomicRead, Access::AtomicRead), []);
    assert_eq!(two_tasks(READ, Access::AtomicRead), []);
    assert_eq!(two_tasks(Access::AtomicRead, READ), []);
    for operator in Operator::ALL {
        if operator.commutes_with(operator) {
            let update = Access::Update(operator);
            assert_eq!(two_tasks(update, update), [], "{operator:?}");
        }
    }
}

#[test]
fn a_plain_access_beside_an_atomic_one_is_a_data_race() {
    let add = Access::Update(Operator::Add);
    let cases = [
        (WRITE, Access::AtomicRead),
        (WRITE, Access::AtomicWrite),
        (WRITE, add),
        (READ, Access::AtomicWrite),
        (READ, add),
    ];
    for (plain, atomic) in cases {
        for (first, second) in [(plain, atomic), (atomic, plain)] {
            let found = two_tasks(first, second);
            assert_eq!(found, [(0, 1, Exclusion::None)], "{first:?} {second:?}");
        }
    }
}

/// Updates by many tasks, then a read in parallel with all but the ones that it got.
#[test]
fn a_read_conflicts_with_every_parallel_update() {
    let add = Access::Update(Operator::Add);
    let mut run = Run::default();
    for task in 1..=3 {
        run.fork().switch(task).access(X, add).set(task).end().switch(0);
    }
    run.get(2).access(X, Access::AtomicRead);
    let expected = [(0, 3, Exclusion::Atomic), (2, 3, Exclusion::Atomic)];
    assert_eq!(run.conflicts(), expected);
}

/// Two tasks, each with one write under a lock.
fn under_locks(first: u32, second: u32) -> Vec<(u32, u32, Exclusion)> {
    let mut run = Run::default();
    run.fork().switch(1).acquire(first).access(X, WRITE).release(first).end();
    run.switch(0).fork().switch(2).acquire(second).access(X, WRITE).release(second).end();
    run.conflicts()
}

#[test]
fn a_common_lock_makes_a_conflict_order_dependent() {
    assert_eq!(under_locks(3, 3), [(0, 1, Exclusion::CommonLock)]);
}

#[test]
fn different_locks_exclude_nothing() {
    assert_eq!(under_locks(3, 4), [(0, 1, Exclusion::None)]);
}

/// One of several locks in common is enough, in whatever order they were taken.
#[test]
fn one_lock_in_common_is_enough() {
    let mut run = Run::default();
    run.fork().switch(1).acquire(3).acquire(4);
    run.access(X, WRITE).access(Y, WRITE).release(4).release(3).end();
    run.switch(0).acquire(5).acquire(4);
    run.access(X, WRITE).release(4).access(Y, READ).release(5);
    let expected = [(0, 2, Exclusion::CommonLock), (1, 3, Exclusion::WeakOrder)];
    assert_eq!(run.conflicts(), expected);
}

/// A write before one critical section and a read after the next of the same lock: ordered in this
/// run by the hand-over.
#[test]
fn a_hand_over_orders_weakly() {
    let mut run = Run::default();
    run.fork().switch(1).access(X, WRITE).acquire(3).release(3).end();
    run.switch(0).acquire(3).release(3).access(X, READ);
    assert_eq!(run.conflicts(), [(0, 1, Exclusion::WeakOrder)]);
}

/// The other way round, the write comes after the section that was handed over.
#[test]
fn what_follows_a_release_is_not_handed_over() {
    let mut run = Run::default();
    run.fork().switch(1).acquire(3).release(3).access(X, WRITE).end();
    run.switch(0).acquire(3).release(3).access(X, READ);
    assert_eq!(run.conflicts(), [(0, 1, Exclusion::None)]);
}

#[test]
fn a_signal_orders_weakly() {
    let token = TokenId(0);
    let mut run = Run::default();
    run.fork().switch(1).access(X, WRITE).event(Event::Signal { token }).access(X, READ).end();
    run.switch(0).event(Event::Await { token }).access(X, WRITE);
    let expected = [(0, 2, Exclusion::WeakOrder), (1, 2, Exclusion::None)];
    assert_eq!(run.conflicts(), expected);
}

/// The engine of a checked program gives up after some thousand signals, and calls the conflict milder than it is.
#[test]
fn no_search_for_weak_order_is_cut_short() {
    let signals = 4_500;
    let mut run = Run::default();
    run.fork().switch(1).access(X, WRITE).end().switch(0);
    for token in (0..signals).map(TokenId) {
        run.fork();
        run.switch(token.0 + 2).event(Event::Signal { token }).end();
        run.switch(0).event(Event::Await { token });
    }
    run.access(X, WRITE);
    assert_eq!(run.conflicts(), [(0, 1, Exclusion::None)]);
}

const CHAIN: u32 = 100_000;

/// A chain of tasks, each of which gets its predecessor's promise, reads location 0 and that of a
/// task far back, writes its own and sets its promise. Task `without_get` gets nothing.
fn chain(without_get: Option<u32>) -> Auto {
    let mut run = Run::default();
    run.access(X, WRITE);
    for task in 1..=CHAIN {
        run.fork().switch(task);
        if task > 1 && Some(task) != without_get {
            run.get(task - 1);
        }
        run.access(X, READ);
        run.access(LocId(task.saturating_sub(1_000)), READ);
        run.access(LocId(task), WRITE);
        run.set(task).end().switch(0);
    }
    let mut auto = Auto::new(Detail::Pairs);
    run.trace.replay(&mut auto);
    auto
}

#[test]
fn a_long_chain_of_promises_is_ordered() {
    assert_eq!(chain(None).findings().races(), []);
}

/// Without its get, a task and all that come after it run in parallel with those before: 1000 of
/// them read what the others wrote.
#[test]
fn a_missing_get_in_a_long_chain_is_found() {
    let without_get = 60_000;
    let auto = chain(Some(without_get));
    let mut races: Vec<_> = auto
        .findings()
        .races()
        .iter()
        .map(|race| (race.first.task.0, race.second.task.0))
        .collect();
    races.sort_unstable();
    let expected: Vec<_> =
        (without_get - 1_000..without_get).map(|task| (task, task + 1_000)).collect();
    assert_eq!(races, expected);
    assert!(auto.findings().races().iter().all(|race| race.class() == Class::DataRace));
}

/// Many parallel writes of one location from different places.
fn many_writes(detail: Detail, tasks: u32) -> Auto {
    let mut run = Run::default();
    for task in 1..=tasks {
        run.fork().switch(task).access(X, WRITE).end().switch(0);
    }
    let mut auto = Auto::new(detail);
    run.trace.replay(&mut auto);
    auto
}

#[test]
fn a_location_is_reported_once() {
    let auto = many_writes(Detail::Locations, 100_000);
    assert_eq!(auto.findings().races().len(), 1);
    assert_eq!(auto.findings().omitted(), 0);
    assert_eq!(auto.findings().worst().get(&X), Some(&Class::DataRace));
}

/// Order-dependence first and a data race later: the location is reported once for each.
#[test]
fn a_location_is_reported_again_when_it_gets_worse() {
    let mut run = Run::default();
    for task in 1..=3 {
        run.fork().switch(task).access(X, Access::AtomicWrite).end().switch(0);
    }
    run.access(X, WRITE).access(X, WRITE);
    let mut auto = Auto::new(Detail::Locations);
    run.trace.replay(&mut auto);
    let classes: Vec<_> = auto.findings().races().iter().map(rosser_detect::Race::class).collect();
    assert_eq!(classes, [Class::OrderDependent, Class::DataRace]);
}

/// However many pairs there are, a bounded number is kept and the rest are counted.
#[test]
fn findings_stay_bounded() {
    let tasks = 250_000;
    let findings_of = many_writes(Detail::Pairs, tasks);
    let findings = findings_of.findings();
    assert_eq!(findings.races().len(), 100_000);
    assert_eq!(findings.conflicts(), u64::from(tasks) - 1);
    assert_eq!(findings.omitted(), u64::from(tasks) - 1 - 100_000);
}
