//! The run file: what a checked program leaves behind, as 64-bit little-endian words.
//!
//! The runtime maps the file into the checked program and writes findings straight into it, so
//! whatever ends the program (a crash, `SIGKILL`, `process::exit`) loses nothing. The file is
//! sparse: only pages with findings take space. Readers and the writer share nothing but the
//! constants here, each an index of a word.
//!
//! ```text
//! word 0          header        HEADER_WORDS
//!                 modules       MODULES × MODULE_WORDS
//!                 findings      FINDINGS × FINDING_WORDS
//! ```
//!
//! Addresses of code (`*_PC`, stacks, allocation stacks) are run-time addresses; a module's
//! `BIAS` turns them into addresses of its object file. Addresses in stacks and of spawns are
//! *return* addresses: look up the byte before. A first access's is exact.

/// The first word of every run file.
pub const MAGIC: u64 = u64::from_le_bytes(*b"ROSSERUN");
/// Changes whenever the layout does.
pub const VERSION: u64 = 4;
/// File name extension of run files. The rest of the name is the process id, a `-` and a number: in several
/// containers, or one after the other, processes have the same id.
pub const EXTENSION: &str = "rosser-run";

/// Length of the header.
pub const HEADER_WORDS: usize = 512;
/// How many modules (the executable, shared libraries) are described at most.
pub const MODULES: usize = 256;
/// Length of a module's description: there is room for any path that Linux has.
pub const MODULE_WORDS: usize = 520;
/// How many findings are kept in full. Further ones are counted.
pub const FINDINGS: usize = 16_384;
/// Length of a finding.
pub const FINDING_WORDS: usize = 256;
/// Where the modules begin.
pub const MODULES_AT: usize = HEADER_WORDS;
/// Where the findings begin.
pub const FINDINGS_AT: usize = MODULES_AT + MODULES * MODULE_WORDS;
/// Length of the whole file.
pub const FILE_WORDS: usize = FINDINGS_AT + FINDINGS * FINDING_WORDS;

/// Words of the header.
pub mod header {
    /// [`super::MAGIC`].
    pub const MAGIC: usize = 0;
    /// [`super::VERSION`].
    pub const VERSION: usize = 1;
    /// Process id.
    pub const PID: usize = 2;
    /// Process id of the checked process that forked this one; 0 if none.
    pub const FORKED_FROM: usize = 3;
    /// One of [`super::state`].
    pub const STATE: usize = 4;
    /// The signal, the exit status or the [`super::stop`] reason, as the state says.
    pub const STATE_DETAIL: usize = 5;
    /// How many modules are described.
    pub const MODULES: usize = 6;
    /// How many findings are there, those that are not kept included.
    pub const FINDINGS: usize = 7;
    /// Tasks started in parallel regions.
    pub const TASKS: usize = 8;
    /// Steps in which something was recorded.
    pub const STEPS: usize = 9;
    /// Accesses recorded: first touches of a word by a step. Repeated ones are not counted.
    pub const ACCESSES: usize = 10;
    /// Outermost parallel regions.
    pub const REGIONS: usize = 11;
    /// Conflicts of all reported classes, repetitions included.
    pub const CONFLICTS: usize = 12;
    /// Conflicts between commuting updates.
    pub const COMMUTING: usize = 13;
    /// Conflicts on memory that belongs to the worker thread (thread-locals and what they own).
    pub const THREAD_LOCAL: usize = 14;
    /// Threads of the program that ran beside the checked one and were not checked.
    pub const OTHER_THREADS: usize = 15;
    /// Parallel regions that were begun in such a thread and were not checked.
    pub const OTHER_REGIONS: usize = 16;
    /// Accesses to variables that the program asked to leave unmonitored.
    pub const UNMONITORED: usize = 17;
    /// The first address of the stack of the stopped program ([`super::state::STOPPED`]).
    pub const STOP_STACK_LEN: usize = 18;
    /// Locations where more accesses came together than are kept: their class may be too mild.
    pub const CROWDED: usize = 19;
    /// Wall-clock start of the run, seconds since 1970.
    pub const STARTED: usize = 20;
    /// 1 if parallel iterators were not split down to single items: races between items of one
    /// piece are missed.
    pub const COARSE: usize = 21;
    /// Conflicts that are not judged: the program has an allocator of its own, which may have
    /// recycled the memory in between.
    pub const OWN_ALLOCATOR: usize = 22;
    /// The number of the detector in the registry, `rosser_detect::registry`.
    pub const DETECTOR: usize = 23;
    /// What the detector does not admit, as `rosser_detect::Construct` numbers it, if that is why the run
    /// was stopped.
    pub const STOP_CONSTRUCT: usize = 24;
    /// Isolated sections whose conflicts with each other the chosen detector does not look for.
    pub const ISOLATED: usize = 25;
    /// 1 if tasks were followed and no access was looked at, to measure what that costs.
    pub const ONLY_TASKS: usize = 26;
    /// How many workers the tasks ran on; 0 or 1 if they ran one after the other.
    pub const WORKERS: usize = 27;
    /// 1 if the program's standard library is instrumented.
    pub const STD_SEEN: usize = 28;
    /// 1 if the compiler has put the checks in, which knows fewer kinds of accesses.
    pub const BY_COMPILER: usize = 29;
    /// 1 if the program says itself what was linked into it without checks.
    pub const NAMES_UNSEEN: usize = 30;
    /// A bit for each of [`crate::checks::Kind`] that was left out on request.
    pub const LEFT_OUT: usize = 31;
    /// The stack of the place where the run was stopped; up to [`super::STOP_STACK`] words.
    pub const STOP_STACK: usize = 32;
    /// How many joins, scopes and tasks that nobody joins are under way, not counting those inside others. If
    /// the process has ended and it is not 0, some task was not executed to its end.
    pub const OPEN: usize = 96;
    /// How many findings could not be written because the disk was full.
    pub const NO_ROOM: usize = 97;
    /// The command line, as bytes: its length, then the arguments, each ended by a zero byte.
    pub const ARGS_LEN: usize = 128;
    /// The bytes of the command line, up to the end of the header.
    pub const ARGS: usize = 129;
}

/// How many addresses [`header::STOP_STACK`] has room for.
pub const STOP_STACK: usize = 64;

/// What became of the run.
pub mod state {
    /// It still runs, or was killed in a way that cannot be seen from inside.
    pub const RUNNING: u64 = 0;
    /// It ran its exit handlers, or ended by `_exit`.
    pub const ENDED: u64 = 1;
    /// A signal ended it.
    pub const SIGNALLED: u64 = 2;
    /// Rosser stopped it.
    pub const STOPPED: u64 = 3;
    /// It executed another program in its place.
    pub const REPLACED: u64 = 4;
}

/// Why Rosser stopped a run.
pub mod stop {
    /// A task waits for something that no task before it in serial order has done.
    pub const BLOCKED: u64 = 1;
    /// A task spins on a value that nobody changes.
    pub const SPINNING: u64 = 2;
    /// The space for histories is used up.
    pub const EXHAUSTED: u64 = 3;
    /// The program does something that the chosen detector does not admit.
    pub const NOT_ADMITTED: u64 = 4;
}

/// Words of a module's description.
pub mod module {
    /// First address of its code and data.
    pub const START: usize = 0;
    /// The address after the last.
    pub const END: usize = 1;
    /// What to subtract from a run-time address to get the object file's address.
    pub const BIAS: usize = 2;
    /// Length of its path in bytes.
    pub const PATH_LEN: usize = 3;
    /// The bytes of the path.
    pub const PATH: usize = 4;
}

/// Words of a finding.
pub mod finding {
    /// 1 as soon as everything else is written.
    pub const READY: usize = 0;
    /// How often this pair of places conflicted.
    pub const COUNT: usize = 1;
    /// One of [`super::class`].
    pub const CLASS: usize = 2;
    /// Counts the threads that ran parallel regions one after the other: one per test.
    pub const SCOPE: usize = 3;
    /// The first byte in conflict.
    pub const ADDRESS: usize = 4;
    /// How many bytes are.
    pub const SIZE: usize = 5;
    /// One of [`super::access`].
    pub const FIRST_ACCESS: usize = 6;
    /// One of [`super::access`].
    pub const SECOND_ACCESS: usize = 7;
    /// Where the first access was made.
    pub const FIRST_PC: usize = 8;
    /// 0 if the first access was made there or at a later line of the same step.
    pub const FIRST_EXACT: usize = 9;
    /// One of [`super::via`].
    pub const VIA: usize = 10;
    /// Where the second task acquired what ordered the two.
    pub const ACQUIRE_PC: usize = 11;
    /// Where it was released; 0 if unknown.
    pub const RELEASE_PC: usize = 12;
    /// One of [`super::object`].
    pub const OBJECT: usize = 13;
    /// First address of the object, if known.
    pub const OBJECT_START: usize = 14;
    /// Its size in bytes.
    pub const OBJECT_SIZE: usize = 15;
    /// For a stack object: the index in `STACK` of the function whose frame it is in.
    pub const OBJECT_FRAME: usize = 16;
    /// How many addresses `ALLOCATION` has.
    pub const ALLOCATION_LEN: usize = 17;
    /// The stack that allocated a heap object, innermost first.
    pub const ALLOCATION: usize = 18;
    /// How many tasks `FIRST_TASKS` has.
    pub const FIRST_TASKS_LEN: usize = 34;
    /// The first access's task, its parent and so on, up to and without the common ancestor:
    /// pairs of [`super::task`] and the address it was spawned at.
    pub const FIRST_TASKS: usize = 35;
    /// How many tasks `SECOND_TASKS` has.
    pub const SECOND_TASKS_LEN: usize = 67;
    /// The same for the second access, as triples: the third word is the index in `STACK` of the
    /// function that spawned the task (its frame and those after it are the parent's).
    pub const SECOND_TASKS: usize = 68;
    /// How many tasks were nested around the common ancestor, it included; 0 is the main task.
    pub const COMMON_DEPTH: usize = 116;
    /// How many addresses `STACK` has.
    pub const STACK_LEN: usize = 117;
    /// How many of them are its innermost part; the rest are the outermost part.
    pub const STACK_INNER: usize = 118;
    /// How many addresses were left out between the two parts.
    pub const STACK_OMITTED: usize = 119;
    /// The return address into the innermost function of the program itself that was on the stack
    /// at the first access, if that was made in a library's function; 0 if it was not, or if it is
    /// not known.
    pub const FIRST_CALLER: usize = 120;
    /// A return address further in, into a library's function that may have code of the program
    /// inlined in it: its name mentions the program. 0 if there is none.
    pub const FIRST_INLINED_CALLER: usize = 121;
    /// Where the first access's task set a promise next, after the access; 0 if it did not.
    pub const NEXT_SET: usize = 122;
    /// How many promises `GETS` has.
    pub const GETS_LEN: usize = 123;
    /// The last promises that the second access's task got before it, the last one first. Of each:
    /// where it was got; where it was set; where the task was spawned that set it, 0 for the main
    /// task; 1 if that is the first access's task, before that access.
    pub const GETS: usize = 124;
    /// The stack of the second access, innermost first. The first address is exact.
    pub const STACK: usize = 136;
}

/// How many addresses [`finding::ALLOCATION`] has room for.
pub const ALLOCATION: usize = 16;
/// How many promises [`finding::GETS`] has room for.
pub const GETS: usize = 3;
/// How many tasks each of the two lists has room for.
pub const TASKS: usize = 16;
/// How many addresses of the innermost part of [`finding::STACK`] are kept.
pub const STACK_INNER: usize = 96;
/// How many addresses of its outermost part are kept.
pub const STACK_OUTER: usize = 24;

const _: () = {
    assert!(finding::ALLOCATION + ALLOCATION == finding::FIRST_TASKS_LEN);
    assert!(finding::FIRST_TASKS + 2 * TASKS == finding::SECOND_TASKS_LEN);
    assert!(finding::SECOND_TASKS + 3 * TASKS == finding::COMMON_DEPTH);
    assert!(finding::GETS + 4 * GETS == finding::STACK);
    assert!(finding::STACK + STACK_INNER + STACK_OUTER == FINDING_WORDS);
};

/// Classes of findings.
pub mod class {
    /// A plain access is involved, and nothing orders or excludes the two.
    pub const DATA_RACE: u64 = 1;
    /// They cannot overlap, but the schedule decides which is first.
    pub const ORDER_DEPENDENT: u64 = 2;
}

/// Kinds of accesses.
pub mod access {
    /// A plain read.
    pub const READ: u64 = 1;
    /// A plain write.
    pub const WRITE: u64 = 2;
    /// An atomic load.
    pub const ATOMIC_LOAD: u64 = 3;
    /// An atomic store.
    pub const ATOMIC_STORE: u64 = 4;
    /// An atomic read-modify-write.
    pub const ATOMIC_UPDATE: u64 = 5;
    /// The block was freed or moved by `realloc`.
    pub const FREE: u64 = 6;
}

/// What ordered the two accesses of an order-dependent finding in this run.
pub mod via {
    /// Nothing.
    pub const NONE: u64 = 0;
    /// A release that the second task acquired: a lock, a channel, an atomic flag.
    pub const RELEASE_ACQUIRE: u64 = 1;
    /// A release by code that is not instrumented: initialisation by `std::sync::Once`.
    pub const HIDDEN_RELEASE: u64 = 2;
    /// Nothing, but both are atomic.
    pub const ATOMIC: u64 = 3;
    /// Both tasks asked which worker they run on, and it was the same.
    pub const SAME_WORKER: u64 = 4;
}

/// What kind of memory was accessed.
pub mod object {
    /// A static, or memory that Rosser did not see allocated.
    pub const OTHER: u64 = 0;
    /// A block from the heap.
    pub const HEAP: u64 = 1;
    /// A local variable.
    pub const STACK: u64 = 2;
    /// A variable on another stack than that of the second access: of the main task, if that runs on
    /// a stack of its own.
    pub const OTHER_STACK: u64 = 3;
}

/// How a task came about.
pub mod task {
    pub use crate::executor::{BROADCAST, DETACHED, JOIN_FIRST, JOIN_SECOND, SCOPE_SPAWN};

    /// A leaf of a parallel loop.
    pub const LEAF: u64 = 6;
    /// An item of a leaf. In the log, its number takes the place of where it was spawned.
    pub const ITEM: u64 = 7;
    /// Above so many bits, which say what a task is, is the number of an item plus one, or 0 if it is not known.
    pub const ITEM_SHIFT: u32 = 8;
}
