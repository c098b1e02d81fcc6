//! What became of each process, and how much of it was checked.

use rosser_abi::run_file::{header, state, stop};
use rosser_detect::{Construct, DetectorKind};

/// What one process has left: who it was, how it ended, what was counted.
#[derive(Clone, Debug)]
pub struct Run {
    /// The process's id.
    pub pid: u64,
    /// The checked process that forked it.
    pub forked_from: Option<u64>,
    /// Program and arguments.
    pub command: Vec<String>,
    /// Wall-clock start, in seconds since 1970.
    pub started: u64,
    /// What became of it.
    pub state: State,
    /// Whether some task had not ended when the process did.
    pub left_tasks: bool,
    /// Where it stood when Rosser stopped it: the user's frames as `function at file:line`,
    /// innermost first.
    pub stopped_at: Vec<String>,
    /// The detector that judged accesses.
    pub detector: &'static str,
    /// How many workers its tasks ran on; 1 if they ran one after the other.
    pub workers: u64,
    /// What the runtime counted.
    pub counters: Counters,
}

/// What became of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum State {
    /// It still runs, or was killed in a way that cannot be seen from inside.
    Running,
    /// It ran its exit handlers, or ended by `_exit`.
    Ended {
        /// The code it ended with.
        status: u64,
    },
    /// A signal ended it.
    Signalled {
        /// The signal's number.
        signal: u64,
    },
    /// Rosser stopped it.
    Stopped(StopReason),
    /// It executed another program in its place.
    Replaced,
}

/// Why Rosser stopped a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StopReason {
    /// A task waits for something that no task before it in serial order has done.
    Blocked,
    /// A task spins on a value that nobody changes.
    Spinning,
    /// The space for histories is used up.
    Exhausted,
    /// The program does something that the chosen detector does not admit.
    NotAdmitted {
        /// The detector.
        detector: DetectorKind,
        /// What it does.
        construct: Construct,
    },
    /// A reason that this version does not know.
    Unknown(u64),
}

/// What a run counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Tasks started in parallel regions.
    pub tasks: u64,
    /// Steps in which something was recorded.
    pub steps: u64,
    /// Accesses recorded: first touches of a word by a step.
    pub accesses: u64,
    /// Outermost parallel regions.
    pub regions: u64,
    /// Conflicts of all reported classes, repetitions included.
    pub conflicts: u64,
    /// Conflicts between commuting updates.
    pub commuting: u64,
    /// Conflicts on memory that belongs to the worker thread.
    pub thread_local: u64,
    /// Threads that were not checked.
    pub other_threads: u64,
    /// Parallel regions begun in such threads.
    pub other_regions: u64,
    /// Accesses to variables that the program left unmonitored.
    pub unmonitored: u64,
    /// Locations with more accesses than are kept.
    pub crowded: u64,
    /// Conflicts in memory of the program's own allocator, which are not judged.
    pub own_allocator: u64,
    /// Processes whose parallel iterators were not split down to single items.
    pub coarse: u64,
    /// Runs whose standard library was not instrumented.
    pub std_unseen: u64,
    /// Runs in which the compiler had put the checks in.
    pub by_compiler: u64,
    /// Runs of programs that do not say what was linked into them without checks.
    pub unnamed: u64,
    /// Isolated sections whose conflicts with each other were not looked for.
    pub isolated: u64,
    /// A bit for each kind of checks that was left out on request.
    pub left_out: u64,
}

impl Counters {
    /// Adds the counts of another run.
    pub(crate) fn add(&mut self, other: &Counters) {
        let pairs = [
            (&mut self.tasks, other.tasks),
            (&mut self.steps, other.steps),
            (&mut self.accesses, other.accesses),
            (&mut self.regions, other.regions),
            (&mut self.conflicts, other.conflicts),
            (&mut self.commuting, other.commuting),
            (&mut self.thread_local, other.thread_local),
            (&mut self.other_threads, other.other_threads),
            (&mut self.other_regions, other.other_regions),
            (&mut self.unmonitored, other.unmonitored),
            (&mut self.crowded, other.crowded),
            (&mut self.own_allocator, other.own_allocator),
            (&mut self.coarse, other.coarse),
            (&mut self.std_unseen, other.std_unseen),
            (&mut self.by_compiler, other.by_compiler),
            (&mut self.unnamed, other.unnamed),
            (&mut self.isolated, other.isolated),
        ];
        for (sum, part) in pairs {
            *sum = sum.saturating_add(part);
        }
        self.left_out |= other.left_out;
    }
}

impl State {
    /// From the header; `None` for a state that does not exist.
    pub(crate) fn from_header(head: &[u64]) -> Option<State> {
        let detail = head[header::STATE_DETAIL];
        Some(match head[header::STATE] {
            state::RUNNING => State::Running,
            state::ENDED => State::Ended { status: detail },
            state::SIGNALLED => State::Signalled { signal: detail },
            state::STOPPED => State::Stopped(match detail {
                stop::BLOCKED => StopReason::Blocked,
                stop::SPINNING => StopReason::Spinning,
                stop::EXHAUSTED => StopReason::Exhausted,
                stop::NOT_ADMITTED => StopReason::NotAdmitted {
                    detector: DetectorKind::numbered(head[header::DETECTOR])?,
                    construct: Construct::numbered(head[header::STOP_CONSTRUCT])?,
                },
                other => StopReason::Unknown(other),
            }),
            state::REPLACED => State::Replaced,
            _ => return None,
        })
    }

    /// The state's name in machine-readable reports.
    pub(crate) fn name(self) -> &'static str {
        match self {
            State::Running => "running",
            State::Ended { .. } => "ended",
            State::Replaced => "replaced",
            State::Signalled { .. } => "signalled",
            State::Stopped(StopReason::Blocked) => "stopped-blocked",
            State::Stopped(StopReason::Spinning) => "stopped-spinning",
            State::Stopped(StopReason::Exhausted) => "stopped-exhausted",
            State::Stopped(StopReason::NotAdmitted { .. }) => "stopped-not-admitted",
            State::Stopped(StopReason::Unknown(_)) => "stopped",
        }
    }
}

impl Run {
    /// Whether it ended by its own will after every task that it had begun.
    pub fn is_complete(&self) -> bool {
        matches!(self.state, State::Ended { .. } | State::Replaced) && !self.left_tasks
    }

    /// The program's name, without its directory and without the hash that cargo appends.
    pub fn program(&self) -> &str {
        let name = self.command.first().map_or("?", String::as_str);
        let name = name.rsplit('/').next().unwrap_or(name);
        match name.rsplit_once('-') {
            Some((stem, hash))
                if hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()) =>
            {
                stem
            }
            _ => name,
        }
    }
}
