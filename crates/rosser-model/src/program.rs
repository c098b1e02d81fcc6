//! A program made ready to run: flat instructions, locals resolved to slots.
//!
//! The index of an instruction is its [`SiteId`], so every event and access points at a place in
//! the source.

use rosser_detect::{Construct, DetectorKind, Operator, ScopeKind, SiteId, TaskKind};

use crate::source::Span;
use crate::syntax::ast::BinaryOp;

/// A local variable of a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Slot(pub u32);

/// An index into the instructions.
pub type Pc = u32;

/// An expression with its locals resolved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// A constant.
    Int(i64),
    /// A local.
    Local(Slot),
    /// `-e`
    Negate(Box<Expr>),
    /// Two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
}

/// A shared location, by the local that refers to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The local that holds the reference.
    pub base: Slot,
    /// The index, if one is written.
    pub index: Option<Expr>,
}

/// One atomic step of a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Op {
    /// Binds a local to a value.
    Assign(Slot, Expr),
    /// Binds a local to a fresh shared variable.
    Alloc(Slot),
    /// Binds a local to a fresh shared array.
    Array(Slot, Expr),
    /// Reads a location into a local.
    Load(Slot, Place),
    /// Writes a location.
    Store(Expr, Place),
    /// Updates a location atomically, and may bind the old value.
    Accumulate(Option<Slot>, Expr, Place, Operator),
    /// Reads a location and jumps if it is zero.
    JumpIfLoadedZero(Place, Pc),
    /// Jumps if an expression is zero.
    JumpIfZero(Expr, Pc),
    /// Jumps.
    Jump(Pc),
    /// Starts a task at the given instruction; a future is bound to a local.
    Fork {
        /// Async, spawn or future.
        kind: TaskKind,
        /// The first instruction of the body.
        body: Pc,
        /// How many locals the body sees.
        captured: u32,
        /// Where a future's handle goes.
        handle: Option<Slot>,
    },
    /// Opens a finish.
    BeginScope(Opened),
    /// Closes the innermost finish, which must have been opened this way, once its tasks ended.
    EndScope(Opened),
    /// Closes the open sync block, if any, once its tasks ended.
    Sync,
    /// Enters an isolated section.
    BeginIsolated,
    /// Leaves it.
    EndIsolated,
    /// Binds a local to a fresh promise.
    NewPromise(Slot),
    /// Sets a promise.
    Set(Slot),
    /// Waits for a promise or a future.
    Get(Slot),
    /// Binds a local to a fresh semaphore.
    NewSemaphore(Slot, Expr),
    /// Waits for a semaphore.
    Wait(Slot),
    /// Signals a semaphore.
    Signal(Slot),
    /// Prints a value.
    Print(Expr),
    /// Ends the task.
    End,
}

/// How a join scope was opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Opened {
    /// By `finish {`.
    Block,
    /// By `begin_finish`.
    Begin,
    /// By the first `spawn` of a sync block.
    Spawn,
}

impl Opened {
    /// The scope's kind as detectors see it.
    pub fn kind(self) -> ScopeKind {
        match self {
            Self::Block | Self::Begin => ScopeKind::Finish,
            Self::Spawn => ScopeKind::SyncBlock,
        }
    }
}

/// A program ready to run.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub(crate) ops: Vec<Op>,
    pub(crate) spans: Vec<Span>,
    /// The local's name, for instructions that bind one.
    pub(crate) names: Vec<String>,
    /// The constructs used, each with the first place that uses it.
    pub(crate) constructs: Vec<(Construct, Span)>,
}

impl Program {
    /// Whether some accumulation names the old value.
    pub fn sees_old_values(&self) -> bool {
        self.ops.iter().any(|op| matches!(op, Op::Accumulate(Some(_), ..)))
    }

    /// The instructions. The main task starts with the first.
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// The place of an instruction in the source.
    pub fn span(&self, site: SiteId) -> Span {
        self.spans[site.index()]
    }

    /// The constructs used, each with the first place that uses it.
    pub fn constructs(&self) -> &[(Construct, Span)] {
        &self.constructs
    }

    /// Whether a detector's class has every construct that is used.
    pub fn is_in_class_of(&self, detector: DetectorKind) -> bool {
        self.constructs.iter().all(|(construct, _)| detector.admits(*construct))
    }

    /// Whether a construct is used anywhere.
    pub fn uses(&self, construct: Construct) -> bool {
        self.constructs.iter().any(|(used, _)| *used == construct)
    }

    /// The name that the instruction at a site binds, or the empty string.
    pub fn bound_name(&self, site: SiteId) -> &str {
        &self.names[site.index()]
    }
}
