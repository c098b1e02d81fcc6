//! The one vocabulary that every executor speaks and every detector understands.
//!
//! An execution is a sequence of task events and memory accesses. Both belong to the *current
//! task*: the main task at first, then whichever task the last [`Event::Switch`] named. Creating a
//! task and running it are two events, so any order of execution can be told: a depth-first run
//! sends `Fork` and at once `Switch` to the child, a help-first run goes on with the parent.

use crate::ids::{LockId, PromiseId, TaskId, TokenId};

/// What kind of statement created a task. It matters only to detectors that admit some kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum TaskKind {
    /// `async`: joins the enclosing finish, may outlive its parent.
    Async,
    /// `spawn`: joins the parent's sync block.
    Spawn,
    /// `future`: as async, and its end sets a promise.
    Future,
}

/// What kind of join scope is meant. Both join every task started in them, transitively.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ScopeKind {
    /// `finish { }` or `begin_finish` … `end_finish`.
    Finish,
    /// From a procedure's first `spawn` to its `sync`.
    SyncBlock,
}

/// A task event of the current task. Every event but `Block` and `Switch` ends the current step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Event {
    /// The current task creates `child`, and goes on unless a `Switch` follows.
    Fork {
        /// The new task; ids are given out densely in order of creation.
        child: TaskId,
        /// The statement that created it.
        kind: TaskKind,
    },
    /// Execution moves to another task, new or resumed.
    Switch {
        /// The task that is current from now on.
        to: TaskId,
    },
    /// The current task has to wait, for a promise, a scope or a semaphore. A `Switch` to another
    /// task follows, unless the whole execution is stuck. A `Switch` without it only puts the
    /// current task aside: it has started or woken the other.
    Block,
    /// The current task has ended. A `Switch` follows, unless the whole execution is over.
    End,
    /// The current task opens a join scope.
    ScopeBegin {
        /// Finish or sync block.
        kind: ScopeKind,
    },
    /// Every task started in the innermost open scope of the current task has ended, and the
    /// current task goes on after it.
    ScopeEnd {
        /// Finish or sync block, as at its beginning.
        kind: ScopeKind,
    },
    /// The current task sets a promise.
    Set {
        /// The promise, set at most once.
        promise: PromiseId,
    },
    /// The current task goes on after getting a promise that has been set.
    Get {
        /// The promise.
        promise: PromiseId,
    },
    /// The current task enters a critical section.
    Acquire {
        /// Its lock.
        lock: LockId,
    },
    /// The current task leaves a critical section.
    Release {
        /// Its lock.
        lock: LockId,
    },
    /// The current task signals (V) a semaphore.
    Signal {
        /// A fresh name for this signal; dense.
        token: TokenId,
    },
    /// The current task goes on after a wait (P) that the given signal satisfied. A wait that the
    /// semaphore's initial count satisfied orders nothing and sends no event.
    Await {
        /// The signal that is paired with this wait.
        token: TokenId,
    },
}

/// An operator of an atomic accumulation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Operator {
    /// Addition.
    Add,
    /// Multiplication.
    Mul,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Minimum.
    Min,
    /// Maximum.
    Max,
    /// Subtraction; not declared to commute.
    Sub,
    /// Division; does not commute.
    Div,
}

impl Operator {
    /// Every operator.
    pub const ALL: [Self; 9] = [
        Self::Add,
        Self::Mul,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::Min,
        Self::Max,
        Self::Sub,
        Self::Div,
    ];

    /// Whether two updates may be exchanged without changing the final value.
    #[inline]
    pub fn commutes_with(self, other: Self) -> bool {
        self == other && !matches!(self, Self::Sub | Self::Div)
    }

    /// The operator as it is written in the model language.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Mul => "*",
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
            Self::Min => "min",
            Self::Max => "max",
            Self::Sub => "-",
            Self::Div => "/",
        }
    }
}

/// How a location is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Access {
    /// A plain read.
    Read,
    /// A plain write.
    Write,
    /// An atomic read.
    AtomicRead,
    /// An atomic write.
    AtomicWrite,
    /// An atomic accumulation; the old value is not observed by the task.
    Update(Operator),
    /// The same, but the task goes on with the old value: it can tell who was there before.
    Fetch(Operator),
}

impl Access {
    /// Whether the access is indivisible with respect to other atomic accesses.
    #[inline]
    pub fn is_atomic(self) -> bool {
        !matches!(self, Self::Read | Self::Write)
    }

    /// Whether the access can change the location.
    #[inline]
    pub fn writes(self) -> bool {
        !matches!(self, Self::Read | Self::AtomicRead)
    }

    /// Whether exchanging two accesses to one location can change what either sees or leaves.
    #[inline]
    pub fn conflicts_with(self, other: Self) -> bool {
        match (self, other) {
            (Self::Update(a), Self::Update(b)) => !a.commutes_with(b),
            _ => self.writes() || other.writes(),
        }
    }

    /// The access in a word or two, for reports.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::AtomicRead => "atomic read",
            Self::AtomicWrite => "atomic write",
            Self::Update(_) => "accumulate",
            Self::Fetch(_) => "accumulate and see",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Access, Operator};

    #[test]
    fn an_operator_commutes_at_most_with_itself() {
        for a in Operator::ALL {
            for b in Operator::ALL {
                let expected = a == b && a != Operator::Sub && a != Operator::Div;
                assert_eq!(a.commutes_with(b), expected, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn reads_do_not_conflict_and_everything_else_does() {
        assert!(!Access::Read.conflicts_with(Access::AtomicRead));
        assert!(Access::Read.conflicts_with(Access::Update(Operator::Add)));
        assert!(Access::AtomicWrite.conflicts_with(Access::AtomicRead));
        assert!(!Access::Update(Operator::Add).conflicts_with(Access::Update(Operator::Add)));
        assert!(Access::Update(Operator::Add).conflicts_with(Access::Update(Operator::Mul)));
        assert!(Access::Fetch(Operator::Add).conflicts_with(Access::Fetch(Operator::Add)));
        assert!(Access::Fetch(Operator::Add).conflicts_with(Access::Update(Operator::Add)));
        assert!(Access::Update(Operator::Add).conflicts_with(Access::Fetch(Operator::Add)));
    }
}
