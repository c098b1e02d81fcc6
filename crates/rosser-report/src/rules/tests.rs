//! Each row of the table, from both sides.

use super::{Exempt, exempt};
use crate::finding::{AccessKind, Class, Finding, Object, Via};
use crate::frame::Frame;
use crate::symbols::{AddressId, FrameTable};

/// Stacks, written innermost first, and what they are parts of.
struct Case {
    table: FrameTable,
    finding: Finding,
}

fn address(table: &mut FrameTable, functions: &[&str]) -> AddressId {
    let frames = functions.iter().map(|path| Frame::new((*path).to_owned(), None, &[])).collect();
    table.add(frames)
}

/// Both accesses atomic updates, ordered by nothing but that.
fn case(first: &[&str], second: &[&str]) -> Case {
    let mut table = FrameTable::default();
    let finding = Finding {
        class: Class::OrderDependent,
        size: 4,
        first_kind: AccessKind::AtomicUpdate,
        second_kind: AccessKind::AtomicUpdate,
        first: Some(address(&mut table, first)),
        first_exact: true,
        via: Via::Atomic,
        acquire: None,
        release: None,
        object: Object::Unknown { address: 0 },
        first_tasks: Vec::new(),
        second_tasks: Vec::new(),
        common_depth: 0,
        stack: second.iter().map(|function| address(&mut table, &[function])).collect(),
        stack_inner: second.len(),
        stack_omitted: 0,
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
