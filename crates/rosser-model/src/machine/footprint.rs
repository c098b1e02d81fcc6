//! What a task's next instruction is about to touch, told before it is executed.

use rosser_detect::{Access, LocId, PromiseId, TaskId};

use super::{Machine, SemaphoreId, Value, Wait};
use crate::program::{Op, Place};

/// What an instruction that other tasks can notice touches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Footprint {
    /// A shared location.
    Memory(LocId, Access),
    /// An isolated section, whose accesses are known only afterwards.
    Isolated,
    /// A semaphore's P.
    Wait(SemaphoreId),
    /// A semaphore's V.
    Signal(SemaphoreId),
    /// The set of a promise.
    Set(PromiseId),
}

/// How a task stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pending {
    /// It has ended.
    Ended,
    /// It waits.
    Blocked(Wait),
    /// It can go on, and nobody can tell when it does.
    Invisible,
    /// It can go on, and when it does matters.
    Visible,
}

impl Machine<'_> {
    /// How a task stands.
    pub fn pending(&self, task: TaskId) -> Pending {
        if self.has_ended(task) {
            Pending::Ended
        } else if let Some(wait) = self.wait(task) {
            Pending::Blocked(wait)
        } else {
            self.footprint(task).map_or(Pending::Invisible, |_| Pending::Visible)
        }
    }

    /// What the next instruction of a task touches that others can notice. An instruction that is
    /// about to fail touches nothing.
    pub fn footprint(&self, task: TaskId) -> Option<Footprint> {
        let memory = |place: &Place, access| {
            let location = self.locate_place(task, place, self.next_site(task)).ok()?;
            Some(Footprint::Memory(location, access))
        };
        match self.next_op(task) {
            Op::Load(_, place) | Op::JumpIfLoadedZero(place, _) => memory(place, Access::Read),
            Op::Store(_, place) => memory(place, Access::Write),
            Op::Accumulate(None, _, place, operator) => memory(place, Access::Update(*operator)),
            Op::Accumulate(Some(_), _, place, operator) => memory(place, Access::Fetch(*operator)),
            Op::BeginIsolated => Some(Footprint::Isolated),
            Op::Wait(slot) => match self.local(task, *slot) {
                Value::Semaphore(semaphore) => Some(Footprint::Wait(semaphore)),
                _ => None,
            },
            Op::Signal(slot) => match self.local(task, *slot) {
                Value::Semaphore(semaphore) => Some(Footprint::Signal(semaphore)),
                _ => None,
            },
            Op::Set(slot) => match self.local(task, *slot) {
                Value::Promise(promise) => Some(Footprint::Set(promise)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether the next instruction of a task is the end of an isolated section.
    pub fn leaves_isolated(&self, task: TaskId) -> bool {
        matches!(self.next_op(task), Op::EndIsolated)
    }
}
