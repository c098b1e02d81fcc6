//! A task that has not begun: a closure, and to whom its end is told.
#![allow(unsafe_code, reason = "tasks borrow from the frames of the finish that waits for them")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::join::Join;
use super::root::Root;
use crate::runtime::body::{Body, Payload, forget_lifetime};

pub(super) struct Task {
    body: Body<'static>,
    owner: Owner,
}

#[derive(Clone, Copy)]
enum Owner {
    Join(*const Join),
    Root(*const Root),
}

// SAFETY: the closure is `Send`; joins and roots are meant to be reached from every thread.
unsafe impl Send for Task {}

impl Task {
    /// # Safety
    /// The join must count the task, and what the body borrows must live until the join has been
    /// told of its end.
    pub(super) unsafe fn of_join(body: Body<'_>, join: *const Join) -> Self {
        // SAFETY: the body is neither called nor dropped after the join has been told.
        Self { body: unsafe { forget_lifetime(body) }, owner: Owner::Join(join) }
    }

    /// # Safety
    /// What the body borrows must live until the root has been told of its end.
    pub(super) unsafe fn of_root(body: Body<'_>, root: *const Root) -> Self {
        // SAFETY: the body is neither called nor dropped after the root has been told.
        Self { body: unsafe { forget_lifetime(body) }, owner: Owner::Root(root) }
    }

    pub(super) fn root(&self) -> *const Root {
        match self.owner {
            // SAFETY: the join counts the task, so it lives.
            Owner::Join(join) => unsafe { (*join).root() },
            Owner::Root(root) => root,
        }
    }

    /// Runs the task to its end.
    pub(super) fn run(self) {
        let Self { body, owner } = self;
        owner.told(catch_unwind(AssertUnwindSafe(body)).err());
    }

    /// Ends the task without having run it.
    pub(super) fn fail(self, payload: Payload) {
        let Self { body, owner } = self;
        drop(body);
        owner.told(Some(payload));
    }
}

impl Owner {
    fn told(self, panic: Option<Payload>) {
        match self {
            // SAFETY: the join counts the task until it is told, and is not used after that.
            Self::Join(join) => unsafe { Join::task_ended(join, panic) },
            // SAFETY: the same.
            Self::Root(root) => unsafe { Root::task_ended(root, panic) },
        }
    }
}
