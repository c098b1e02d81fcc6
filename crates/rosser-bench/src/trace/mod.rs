//! The generated traces, by name. All are free of races, so that whatever a detector reports on
//! one of them is a bug.

mod chain;
mod fork_join;
mod futures;
mod grid;
pub mod plan;
mod readers;
mod stages;
#[cfg(test)]
mod tests;

use chain::Reach;
use clap::ValueEnum;
use fork_join::Style;
use plan::Plan;
use readers::Join;
use rosser_detect::{Construct, Detector, PromiseId};

use crate::emit::{Counts, Emitter};

/// A family of traces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum TraceKind {
    /// Spawn and sync by recursive halving.
    SpawnTree,
    /// Spawn and sync, one child per task, as many levels as tasks.
    SpawnNest,
    /// One sync block with all tasks in it.
    SpawnWide,
    /// One finish with all tasks in it.
    FinishWide,
    /// One location read by all tasks, joined by a sync.
    ReadersSync,
    /// One location read by all tasks, which got a promise, joined by a finish.
    ReadersFinish,
    /// One location read by all tasks, joined by their promises only.
    ReadersGather,
    /// A batch of futures per finish, got inside it.
    Futures,
    /// A chain of promises; accesses to what the previous task left.
    ChainNear,
    /// A chain of promises; reads of what any earlier task left.
    ChainFar,
    /// A chain of promises whose tasks are created in reverse and block.
    ChainWaiting,
    /// A wavefront; reads of what the neighbours left.
    GridNear,
    /// A wavefront; reads of what any task up and left has left.
    GridFar,
    /// Stages in which every task gets the promises of the whole stage before.
    Stages,
}

impl TraceKind {
    /// Every family of traces, in the order of the tables.
    pub const ALL: [Self; 14] = [
        Self::SpawnTree,
        Self::SpawnNest,
        Self::SpawnWide,
        Self::FinishWide,
        Self::ReadersSync,
        Self::ReadersFinish,
        Self::ReadersGather,
        Self::Futures,
        Self::ChainNear,
        Self::ChainFar,
        Self::ChainWaiting,
        Self::GridNear,
        Self::GridFar,
        Self::Stages,
    ];

    /// The name, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::SpawnTree => "spawn-tree",
            Self::SpawnNest => "spawn-nest",
            Self::SpawnWide => "spawn-wide",
            Self::FinishWide => "finish-wide",
            Self::ReadersSync => "readers-sync",
            Self::ReadersFinish => "readers-finish",
            Self::ReadersGather => "readers-gather",
            Self::Futures => "futures",
            Self::ChainNear => "chain-near",
            Self::ChainFar => "chain-far",
            Self::ChainWaiting => "chain-waiting",
            Self::GridNear => "grid-near",
            Self::GridFar => "grid-far",
            Self::Stages => "stages",
        }
    }

    /// What a detector must admit to be run on it.
    pub fn constructs(self) -> &'static [Construct] {
        use Construct::{Async, Finish, Future, Promise, SpawnSync};
        match self {
            Self::SpawnTree | Self::SpawnNest | Self::SpawnWide | Self::ReadersSync => &[SpawnSync],
            Self::FinishWide => &[Async, Finish],
            Self::ReadersFinish => &[Async, Finish, Promise],
            Self::Futures => &[Finish, Future],
            Self::ReadersGather
            | Self::ChainNear
            | Self::ChainFar
            | Self::ChainWaiting
            | Self::GridNear
            | Self::GridFar
            | Self::Stages => &[Async, Promise],
        }
    }

    /// A plan with about as many tasks and accesses as asked for, rounded to what the family needs.
    pub fn plan(self, tasks: u32, accesses: u64) -> Plan {
        let tasks = match self {
            Self::SpawnTree => tasks.next_power_of_two() - 1,
            Self::GridNear | Self::GridFar => tasks.isqrt().pow(2),
            _ => tasks,
        };
        Plan::new(tasks, accesses)
    }

    /// How many locations the trace of this plan touches, at most.
    pub fn locations(self, plan: Plan) -> u64 {
        match self {
            Self::ReadersSync | Self::ReadersFinish | Self::ReadersGather => 1,
            _ => plan.locations(),
        }
    }

    /// Tells a detector the trace, with its accesses or without.
    pub fn drive<D: Detector, const A: bool>(self, plan: Plan, detector: &mut D) -> Counts {
        let mut emitter = Emitter::<D, A>::new(detector);
        let e = &mut emitter;
        match self {
            Self::SpawnTree => fork_join::tree(plan, e),
            Self::SpawnNest => fork_join::nest(plan, e),
            Self::SpawnWide => fork_join::wide(plan, Style::Spawn, e),
            Self::FinishWide => fork_join::wide(plan, Style::Finish, e),
            Self::ReadersSync => readers::readers(plan, Join::Sync, e),
            Self::ReadersFinish => readers::readers(plan, Join::Finish, e),
            Self::ReadersGather => readers::readers(plan, Join::Gather, e),
            Self::Futures => futures::futures(plan, e),
            Self::ChainNear => chain::in_order(plan, Reach::Near, e),
            Self::ChainFar => chain::in_order(plan, Reach::Far, e),
            Self::ChainWaiting => chain::waiting(plan, e),
            Self::GridNear => grid::grid(plan, Reach::Near, e),
            Self::GridFar => grid::grid(plan, Reach::Far, e),
            Self::Stages => stages::stages(plan, e),
        }
        emitter.finish()
    }
}

/// A promise of a row of them, counted from its first.
fn nth(first: PromiseId, n: u32) -> PromiseId {
    PromiseId(first.0 + n)
}
