//! Each row of the table, from both sides.

use super::{Exempt, exempt};
use crate::finding::{AccessKind, Class, Finding, Via};
use crate::symbols::FrameTable;
use crate::testing::{address, finding};

/// Stacks, written innermost first, and what they are parts of.
struct Case {
    table: FrameTable,
    finding: Finding,
}

/// Both accesses atomic updates, ordered by nothing but that.
fn case(first: &[&str], second: &[&str]) -> Case {
    let mut table = FrameTable::default();
    let stack = second.iter().map(|function| address(&mut table, &[function])).collect();
    let finding = Finding {
        class: Class::OrderDependent,
        first_kind: AccessKind::AtomicUpdate,
        second_kind: AccessKind::AtomicUpdate,
        first: Some(address(&mut table, first)),
        via: Via::Atomic,
        ..finding(stack)
    };
    Case { table, finding }
}

impl Case {
    fn verdict(&self) -> Option<Exempt> {
        exempt(&self.finding, &self.table)
    }

    fn acquired_in(mut self, function: &str) -> Case {
        self.finding.via = Via::ReleaseAcquire;
        self.finding.acquire = Some(address(&mut self.table, &[function]));
        self
    }
}

const ATOMIC: &str = "core::sync::atomic::AtomicU32::compare_exchange";
const LOCK: &str = "std::sys::sync::mutex::futex::Mutex::lock";

#[test]
fn locks_and_counts_are_internal() {
    let makers = [
        LOCK,
        "std::sync::poison::rwlock::RwLock::read",
        "alloc::sync::Arc::drop_slow",
        "parking_lot::raw_mutex::RawMutex::lock_slow",
        "lock_api::mutex::Mutex::lock",
        "spin::mutex::spin::SpinMutex::lock",
        "crossbeam_epoch::internal::Local::pin",
        "std::sync::mpmc::counter::Sender::release",
    ];
    for maker in makers {
        let case = case(&[ATOMIC, maker], &["__tsan_atomic32_fetch_add", ATOMIC, maker, "app::f"]);
        assert_eq!(case.verdict(), Some(Exempt::Internal), "{maker}");
    }
}

#[test]
fn both_sides_must_be_internal() {
    assert_eq!(case(&[ATOMIC, LOCK], &[ATOMIC, "app::f"]).verdict(), None);
    assert_eq!(case(&[ATOMIC, "app::f"], &[ATOMIC, LOCK]).verdict(), None);
    assert_eq!(case(&[ATOMIC, "app::f"], &[ATOMIC, "app::g"]).verdict(), None);
}

#[test]
fn the_second_decides_if_the_first_is_not_known() {
    assert_eq!(case(&[ATOMIC], &[ATOMIC, LOCK]).verdict(), Some(Exempt::Internal));
    assert_eq!(case(&[ATOMIC], &[ATOMIC, "app::f"]).verdict(), None);
    assert_eq!(case(&[ATOMIC], &[ATOMIC]).verdict(), None);
}

#[test]
fn both_accesses_must_be_atomic() {
    let mut plain = case(&[ATOMIC, LOCK], &[ATOMIC, LOCK]);
    plain.finding.second_kind = AccessKind::Write;
    assert_eq!(plain.verdict(), None);
}

#[test]
fn channels_are_not_internal() {
    let senders = [
        "std::sync::mpmc::list::Channel::send",
        "std::sync::mpsc::Sender::send",
        "crossbeam_channel::flavors::list::Channel::send",
        "crossbeam_queue::seg_queue::SegQueue::push",
        "crossbeam_deque::deque::Worker::push",
        "flume::Sender::send",
        "crossbeam_epoch::atomic::Atomic::store",
    ];
    for sender in senders {
        assert_eq!(case(&[ATOMIC, sender], &[ATOMIC, sender]).verdict(), None, "{sender}");
    }
}

const CLONE: &str = "<alloc::sync::Arc as core::clone::Clone>::clone";

#[test]
fn a_count_that_the_program_gets_to_know_is_not_internal() {
    let observers = [
        "alloc::sync::Arc::strong_count",
        "alloc::sync::Arc::is_unique",
        "alloc::sync::Arc::try_unwrap",
        "alloc::sync::Weak::strong_count",
    ];
    for observer in observers {
        assert_eq!(case(&[CLONE], &[observer, "app::f"]).verdict(), None, "{observer}");
        assert_eq!(case(&[observer], &[CLONE, "app::f"]).verdict(), None, "{observer}");
    }
    // Further out it is somebody else's business.
    let outside = case(&[CLONE], &[CLONE, "app::f", "alloc::sync::Arc::make_mut", "app::g"]);
    assert_eq!(outside.verdict(), Some(Exempt::Internal));
    assert_eq!(case(&[CLONE], &[CLONE, "app::f"]).verdict(), Some(Exempt::Internal));
}

#[test]
fn who_loads_a_count_observes_it() {
    let mut load = case(&[ATOMIC], &[ATOMIC, CLONE, "app::f"]);
    assert_eq!(load.verdict(), Some(Exempt::Internal));
    load.finding.first_kind = AccessKind::AtomicLoad;
    assert_eq!(load.verdict(), None);
    let mut lock = case(&[ATOMIC], &[ATOMIC, LOCK, "app::f"]);
    lock.finding.first_kind = AccessKind::AtomicLoad;
    assert_eq!(lock.verdict(), Some(Exempt::Internal));
}

const FULL: &str = "rayon::iter::find::FindConsumer::full";
const FIND: &str = "rayon::iter::find::find";
const FIND_ANY: &str = "rayon::iter::ParallelIterator::find_any";

#[test]
fn a_search_with_one_answer_is_no_finding() {
    let called = |outer: &[&str]| {
        let stack = [&[ATOMIC, FULL, "rayon_core::join::join"], outer].concat();
        [case(&[ATOMIC], &stack).verdict(), case(&[ATOMIC, FULL], &stack).verdict()]
    };
    assert_eq!(called(&[FIND, FIND_ANY, "app::main"]), [None; 2]);
    let any = "rayon::iter::ParallelIterator::any";
    assert_eq!(called(&[FIND, FIND_ANY, any, "app::main"]), [Some(Exempt::Search); 2]);
    let position = "rayon::iter::IndexedParallelIterator::position_any";
    assert_eq!(called(&[FIND, FIND_ANY, position, "app::main"]), [None; 2]);
    // Each search is judged by its own call, not by one around it.
    assert_eq!(called(&[FIND, FIND_ANY, "app::f", any, "app::main"]), [None; 2]);
    // The user's own parallel iterator passes the consumer on.
    let own = ["app::Own::drive_unindexed", FIND, FIND_ANY, any, "app::main"];
    assert_eq!(called(&own), [Some(Exempt::Search); 2]);
    // A function of that name that is not rayon's.
    assert_eq!(called(&[FIND, FIND_ANY, "app::Own::any", "app::main"]), [None; 2]);
}

#[test]
fn the_best_place_of_an_ordered_search_is_no_finding() {
    let maker = "rayon::iter::find_first_last::FindFolder::consume";
    let entry = "rayon::iter::ParallelIterator::find_first";
    let stack = [ATOMIC, maker, "rayon::iter::find_first_last::find_first", entry, "app::f"];
    assert_eq!(case(&[ATOMIC, maker], &stack).verdict(), Some(Exempt::Search));
    assert_eq!(case(&[ATOMIC, "app::g"], &stack).verdict(), None);
    // An adaptor's own flag does not become harmless by a search behind it.
    let adaptor = [ATOMIC, "rayon::iter::while_some::WhileSomeFolder::full", entry, "app::f"];
    assert_eq!(case(&[ATOMIC], &adaptor).verdict(), None);
}

#[test]
fn collecting_into_an_option_is_no_finding() {
    let full = "rayon::iter::while_some::WhileSomeFolder::full";
    let collect = "rayon::iter::ParallelIterator::collect";
    let through = |from: &str| case(&[ATOMIC], &[ATOMIC, full, from, collect, "app::f"]).verdict();
    assert_eq!(through("rayon::option::Option::from_par_iter"), Some(Exempt::Search));
    assert_eq!(through("rayon::result::Result::from_par_iter"), None);
    assert_eq!(through("rayon::vec::Vec::from_par_iter"), None);
    let check = "rayon::option::Option::from_par_iter::check::{closure#0}";
    let stores = case(&[ATOMIC, check], &[ATOMIC, check, collect, "app::f"]);
    assert_eq!(stores.verdict(), Some(Exempt::Search));
}

#[test]
fn initialisation_is_done_once() {
    let plain = || {
        let mut case = case(&["app::init"], &["app::f"]);
        case.finding.first_kind = AccessKind::Write;
        case.finding.second_kind = AccessKind::Read;
        case
    };
    for once in [
        "std::sync::once_lock::OnceLock::get",
        "std::sync::lazy_lock::LazyLock::force",
        "once_cell::imp::OnceCell::is_initialized",
        "lazy_static::lazy::Lazy::get",
        "spin::once::Once::poll",
        "std::sync::poison::once::Once::is_completed",
    ] {
        assert_eq!(plain().acquired_in(once).verdict(), Some(Exempt::InitialisedOnce), "{once}");
    }
    assert_eq!(plain().acquired_in("std::sync::poison::mutex::Mutex::lock").verdict(), None);
    let mut hidden = plain();
    hidden.finding.via = Via::HiddenRelease;
    assert_eq!(hidden.verdict(), Some(Exempt::InitialisedOnce));
    let mut race = plain().acquired_in("std::sync::once_lock::OnceLock::get");
    race.finding.class = Class::DataRace;
    assert_eq!(race.verdict(), None);
}

#[test]
fn only_an_ordered_free_is_exempt() {
    let mut free = case(&["app::f"], &["free", "app::g"]);
    free.finding.first_kind = AccessKind::Read;
    free.finding.second_kind = AccessKind::Free;
    assert_eq!(free.verdict(), Some(Exempt::FreedInOrder));
    free.finding.class = Class::DataRace;
    assert_eq!(free.verdict(), None);
    free.finding.class = Class::OrderDependent;
    (free.finding.first_kind, free.finding.second_kind) = (AccessKind::Free, AccessKind::Write);
    assert_eq!(free.verdict(), None);
}
